"""What operators publish on the website: kinds of content, their fields, editing."""
