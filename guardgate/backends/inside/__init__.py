"""What runs inside the app's interpreter: standard library only, Python 3.9 or later, never imported by guardgate."""
