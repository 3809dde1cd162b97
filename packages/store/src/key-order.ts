// Keys are ordered by their UTF-8 bytes, as in etcd and LMDB. JavaScript compares UTF-16 units, which differs
// only where a surrogate pair meets a unit from U+E000 on.

/** Whether plain string comparison may order this key wrongly. */
export const needsByteOrder = (key: string): boolean => BEYOND_SURROGATES.test(key);

const BEYOND_SURROGATES = /[\ud800-\uffff]/;
