// `Warning: 299 - "text"` headers: what the server wants people to know although it did what was asked.

const WARNING = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

export function warningsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return [...text.matchAll(WARNING)].map(([, quoted]) => quoted!.replace(/\\(.)/g, '$1'));
}
