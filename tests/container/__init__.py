"""The image, built and run as a runner of GitHub does it."""
