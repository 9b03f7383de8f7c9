"""What crosses the wire: messages, codecs, and engine values to and from them."""
