// What a source on the command line means.

export type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'git'; readonly revision: string; readonly path: string }
  | { readonly kind: 'kube'; readonly name: string | undefined };

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/**
 * `git:REV:PATH`, where PATH may be left out for the whole tree; `kube:NAME`; anything else is a path, - is
 * standard input.
 */
export function parseSource(text: string): Source {
  if (text.startsWith('kube:'))
    return { kind: 'kube', name: text.slice(5) === '' ? undefined : text.slice(5) };
  if (!text.startsWith('git:')) return { kind: 'file', path: text };
  const rest = text.slice(4);
  const colon = rest.indexOf(':');
  return colon < 0
    ? { kind: 'git', revision: rest, path: '.' }
    : { kind: 'git', revision: rest.slice(0, colon), path: rest.slice(colon + 1) || '.' };
}
