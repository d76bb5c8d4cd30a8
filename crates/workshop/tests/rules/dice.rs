//! Random choices that are the same in every run.

/// Pseudo-random numbers from a seed.
pub struct Dice(u64);

impl Dice {
    /// The same seed gives the same numbers.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `sides`, by wyrand.
    pub fn roll(&mut self, sides: usize) -> usize {
        let high = |product: u128| (product >> 64) as u64;
        self.0 = self.0.wrapping_add(0x2d35_8dcc_aa6c_78a5);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0x8bb8_4b93_962e_acc9);
        let rolled = product as u64 ^ high(product);
        high(u128::from(rolled) * sides as u128) as usize
    }

    pub fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.roll(among.len())]
    }
}
