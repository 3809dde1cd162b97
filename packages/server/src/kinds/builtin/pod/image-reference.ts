// The names of images, as far as defaults depend on them: which tag they have.

const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const HOST = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${HOST}(?:\\.${HOST})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const TAG = '[\\w][\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(
  `^((?:${DOMAIN}/)?${PATH_PART}(?:/${PATH_PART})*)(?::(${TAG}))?(?:@(${DIGEST}))?$`,
);
const IDENTIFIER = /^[a-f0-9]{64}$/;
const MAX_NAME = 255;
/** The expressions take time that grows with the square of some texts. */
const MAX_REFERENCE = 2048;

/** The tag, "latest" if it has neither tag nor digest, or undefined if it is not a valid reference. */
export function imageTag(image: string): string | undefined {
  if (image.length > MAX_REFERENCE || IDENTIFIER.test(image)) return undefined;
  const found = REFERENCE.exec(withDomain(image));
  if (found === null || found[1]!.length > MAX_NAME) return undefined;
  return found[2] ?? (found[3] === undefined ? 'latest' : '');
}

function withDomain(image: string): string {
  const [first, rest] = splitFirst(image);
  if (rest !== undefined && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase()))
    return image;
  return `docker.io/${rest === undefined ? 'library/' : ''}${image}`;
}

function splitFirst(image: string): [string, string | undefined] {
  const at = image.indexOf('/');
  return at === -1 ? [image, undefined] : [image.slice(0, at), image.slice(at + 1)];
}
