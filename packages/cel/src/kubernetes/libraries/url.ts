// The library of URLs: url(), isURL() and the parts of a URL.

import { type GoUrl, parseGoUrl, requestUriError, urlHostname, urlPort, urlQuery } from '@instar/go';
import { functionOf, type Library, memberOverload, overload } from '../../extension.ts';
import { boolType, listType, mapType, opaqueType, stringType } from '../../values/types.ts';
import { CelError, listOf, mapOf, Opaque, type Value } from '../../values.ts';

export const urlType = opaqueType('kubernetes.URL');

class UrlValue extends Opaque {
  readonly type = urlType;
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    super();
    this.url = url;
  }

  equals(other: Value): boolean {
    return other instanceof UrlValue && this.url.text === other.url.text;
  }
}

function urlOfString(text: Value): Value {
  const url = requestUriError(text as string) ?? parseGoUrl(text as string);
  return typeof url === 'string'
    ? new CelError(`URL parse error during conversion from string: ${url}`)
    : new UrlValue(url);
}

function getQuery(value: Value): Value {
  return mapOf([...urlQuery((value as UrlValue).url)].map(([key, values]) => [key, listOf(values)]));
}

function part(name: string, id: string, read: (url: GoUrl) => string) {
  return functionOf(
    name,
    memberOverload(id, [urlType], stringType, (value) => read((value as UrlValue).url)),
  );
}

export const urlLibrary: Library = {
  name: 'kubernetes.urls',
  functions: [
    functionOf('url', overload('string_to_url', [stringType], urlType, urlOfString)),
    functionOf(
      'isURL',
      overload(
        'is_url_string',
        [stringType],
        boolType,
        (text) => requestUriError(text as string) === undefined,
      ),
    ),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', urlHostname),
    part('getPort', 'url_get_port', urlPort),
    part('getEscapedPath', 'url_get_escaped_path', ({ escapedPath }) => escapedPath),
    functionOf(
      'getQuery',
      memberOverload('url_get_query', [urlType], mapType(stringType, listType(stringType)), getQuery),
    ),
  ],
};
