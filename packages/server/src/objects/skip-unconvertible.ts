/** The query parameter by which a request leaves out, or takes as stored, what cannot be converted. */
export const SKIP_UNCONVERTIBLE = 'instar.dev/skipUnconvertible';
