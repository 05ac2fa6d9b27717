"""What the tests share: graphs, their right answers, and other forms of a graph."""
