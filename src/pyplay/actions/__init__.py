"""The controller-side halves of tasks."""
