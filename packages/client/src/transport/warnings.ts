// `Warning: 299 - "text"` headers: what the server wants users to know although the request succeeded.

const WARNING = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

export function warningsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return [...text.matchAll(WARNING)].map(([, quoted]) => quoted!.replace(/\\(.)/g, '$1'));
}
