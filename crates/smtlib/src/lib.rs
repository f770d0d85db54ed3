//! The SMT-LIB language: bytes to commands and typed, hash-consed terms, and back to text.
