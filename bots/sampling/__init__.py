"""The hidden tiles as a seat may judge them: every deal that fits all that is public, each as likely as the others."""
