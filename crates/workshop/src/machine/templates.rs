//! The templates frozen with a run and what is parsed from them, shared by all runs of a process
//! that use the same ones.
//!
//! Templates are by far the largest part of a run's inputs, and the runs of a batch start with the
//! same ones. So equal sets share one allocation, and so do the values parsed from a set. Unused
//! sets and values are dropped. Sharing affects memory only.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

type Contents = BTreeMap<String, String>;

/// Contents of templates by name, such as `prompt/shared.j2`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Templates(Arc<Contents>);

/// The sets in use.
static SETS: Mutex<Vec<Weak<Contents>>> = Mutex::new(Vec::new());

impl From<Contents> for Templates {
    /// Returns an equal set that is already in use, or a new one.
    fn from(contents: Contents) -> Self {
        let mut sets = SETS.lock().unwrap_or_else(PoisonError::into_inner);
        sets.retain(|set| set.strong_count() > 0);
        let equal = sets
            .iter()
            .filter_map(Weak::upgrade)
            .find(|set| **set == contents);
        Self(equal.unwrap_or_else(|| {
            let set = Arc::new(contents);
            sets.push(Arc::downgrade(&set));
            set
        }))
    }
}

impl Deref for Templates {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.0
    }
}

impl DerefMut for Templates {
    /// Changes affect this copy only.
    fn deref_mut(&mut self) -> &mut Contents {
        Arc::make_mut(&mut self.0)
    }
}

impl Serialize for Templates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Templates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Contents::deserialize(deserializer).map(Self::from)
    }
}

/// A cache of values made from templates, one per set and key.
pub struct TemplateCache<K, T> {
    made: Mutex<Vec<CacheEntry<K, T>>>,
}

struct CacheEntry<K, T> {
    set: Weak<Contents>,
    key: K,
    what: Weak<T>,
}

impl<K: PartialEq, T> TemplateCache<K, T> {
    /// Returns an empty cache.
    pub const fn new() -> Self {
        Self {
            made: Mutex::new(Vec::new()),
        }
    }

    /// The cached value for this set and key; otherwise `make` creates it.
    ///
    /// # Errors
    /// Those of `make`; nothing is kept then.
    pub fn held<E>(
        &self,
        templates: &Templates,
        key: K,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|made| made.what.strong_count() > 0);
        // The weak pointer keeps the address from being reused.
        let set = Arc::downgrade(&templates.0);
        let known = all
            .iter()
            .filter(|made| made.set.ptr_eq(&set) && made.key == key)
            .find_map(|made| made.what.upgrade());
        if let Some(known) = known {
            return Ok(known);
        }
        let what = Arc::new(make()?);
        all.push(CacheEntry {
            set,
            key,
            what: Arc::downgrade(&what),
        });
        Ok(what)
    }
}

impl<K: PartialEq, T> Default for TemplateCache<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn set(text: &str) -> Templates {
        let contents = [("a".to_owned(), text.to_owned())];
        Templates::from(Contents::from(contents))
    }

    #[test]
    fn equal_sets_are_one_until_somebody_changes_theirs() {
        let (one, mut two) = (set("same words"), set("same words"));
        assert!(Arc::ptr_eq(&one.0, &two.0));
        let read: Templates = serde_json::from_str(r#"{"a":"same words"}"#).unwrap();
        assert!(Arc::ptr_eq(&one.0, &read.0));
        two.insert("b".to_owned(), "more".to_owned());
        assert_eq!((one.len(), two.len()), (1, 2));
        assert!(!Arc::ptr_eq(&one.0, &set("other words").0));
    }

    #[test]
    fn what_is_made_of_a_set_is_made_once_while_it_is_used() {
        static LENGTHS: TemplateCache<u8, usize> = TemplateCache::new();
        let one = set("to be measured");
        let length = |templates: &Templates, key| {
            let make = || Ok::<_, ()>(templates["a"].len());
            LENGTHS.held(templates, key, make).unwrap()
        };
        let first = length(&one, 1);
        assert!(Arc::ptr_eq(&first, &length(&one, 1)));
        assert!(!Arc::ptr_eq(&first, &length(&one, 2)), "another key");
        let mut other = one.clone();
        other.insert("a".to_owned(), "longer than it was".to_owned());
        assert_eq!(*length(&other, 1), 18);
        let failed = LENGTHS.held(&set("never made"), 1, || Err::<usize, _>("no"));
        assert_eq!(failed, Err("no"));
        drop(first);
        let made = LENGTHS.made.lock().unwrap();
        assert!(made.iter().all(|made| made.what.strong_count() == 0));
    }
}
