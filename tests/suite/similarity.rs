//! How alike texts are: the calibration of the measures, and what a run does with it.

mod calibration;
mod endpoint;
mod guards;
