//! Similarity of texts: calibration of the measures, and their use in a run.

mod calibration;
mod endpoint;
