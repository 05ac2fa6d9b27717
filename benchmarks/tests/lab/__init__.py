"""What several tests of the lab share; what they share with the product's is in `support`."""
