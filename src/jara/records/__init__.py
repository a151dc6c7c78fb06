"""What the store keeps: plain values, one module for each noun."""
