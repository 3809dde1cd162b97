/** The query parameter of requests that skip, or take as stored, what cannot be converted. */
export const SKIP_UNCONVERTIBLE = 'instar.dev/skipUnconvertible';
