"""The action: event -> mode -> run -> what is published. Also `guardgate ci`, without a container."""
