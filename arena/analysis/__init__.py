"""What would have been better: finished games with each choice weighed by playouts from what its seat knew."""
