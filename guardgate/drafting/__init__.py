"""From a persona in Markdown to a project of drafts: its passages, its promises, their topics, and the files."""
