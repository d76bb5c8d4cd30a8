//! The embeddings endpoint.
