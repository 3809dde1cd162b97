// The paths of all members of a JSON text, in the order of the text and with repetitions: the order of strict
// decoding errors. Only called if there are such errors, with text that has been parsed.

/** In upstream's form, as `spec.a[0].b`. */
export function* memberPaths(text: string): Generator<string> {
  /** The path of every open object and list, and for a list the index. */
  const open: { readonly path: string; index: number }[] = [];
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/gs;
  let path = '';
  for (const [found, colon] of text.matchAll(token)) {
    const inner = open.at(-1);
    if (colon !== undefined) {
      const key = JSON.parse(found.slice(0, -colon.length)) as string;
      path = inner?.path ? `${inner.path}.${key}` : key;
      yield path;
    } else if (found === '{') open.push({ path, index: -1 });
    else if (found === '[') {
      open.push({ path, index: 0 });
      path += '[0]';
    } else if (found === ',') {
      if (inner !== undefined && inner.index >= 0) path = `${inner.path}[${++inner.index}]`;
    } else if (found === '}' || found === ']') open.pop();
  }
}
