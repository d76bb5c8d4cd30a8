//! From state and call to the request that is sent.
