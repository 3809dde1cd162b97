// The format uri: what Go's url.ParseRequestURI takes. That is generous (no fragment, any opaque part) and
// knows "/a/b" as well as "https://…".

export function isUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what Go refuses
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).split('?', 1)[0]!;
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return hasGoodEscapes(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(authority) && hasGoodEscapes(slash < 0 ? '' : rest.slice(slash));
}

function hasGoodEscapes(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  return (
    /^[A-Za-z0-9._:~!$&'()*+,;=%@-]*$/.test(user) && hasGoodEscapes(user) && isHost(authority.slice(at + 1))
  );
}

function isHost(host: string): boolean {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : 0;
  if (bracket < 0) return false;
  const colon = host.startsWith('[') ? bracket + 1 : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (port !== '' && !/^:[0-9]*$/.test(port)) return false;
  const zone = host.startsWith('[') ? host.indexOf('%25') : -1;
  const name = zone < 0 ? host : host.slice(0, zone) + host.slice(bracket);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII is allowed
  return /^(?:[A-Za-z0-9._~!$&'()*+,;=:[\]<>"-]|[^\u0000-\u007f]|%25|%[89a-fA-F][0-9a-fA-F])*$/.test(name);
}
