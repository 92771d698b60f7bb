"""GitHub: what started the job, what it may do, and what it says back."""
