// What a source on the command line means.

export type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'git'; readonly revision: string; readonly path: string }
  | { readonly kind: 'kube'; readonly name: string | undefined }
  | { readonly kind: 'kustomize'; readonly directory: string }
  | { readonly kind: 'helm'; readonly chart: string; readonly values: readonly string[] };

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/**
 * `git:REV:PATH`, where PATH may be left out for the whole tree; `kube:NAME`; `kustomize:DIR`;
 * `helm:CHART?VALUES-FILE,…`; anything else is a path, - is standard input.
 */
export function parseSource(text: string): Source {
  if (text.startsWith('kube:'))
    return { kind: 'kube', name: text.slice(5) === '' ? undefined : text.slice(5) };
  if (text.startsWith('kustomize:')) return { kind: 'kustomize', directory: text.slice(10) || '.' };
  if (text.startsWith('helm:')) {
    const [chart = '', values = ''] = text.slice(5).split('?', 2);
    return { kind: 'helm', chart: chart || '.', values: values.split(',').filter((file) => file !== '') };
  }
  if (!text.startsWith('git:')) return { kind: 'file', path: text };
  const rest = text.slice(4);
  const colon = rest.indexOf(':');
  return colon < 0
    ? { kind: 'git', revision: rest, path: '.' }
    : { kind: 'git', revision: rest.slice(0, colon), path: rest.slice(colon + 1) || '.' };
}
