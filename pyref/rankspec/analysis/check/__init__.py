"""What is wrong or suspicious in a run and its qrels."""
