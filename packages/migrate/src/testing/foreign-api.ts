// An API server that looks unlike Instar to the tools: the group instar.dev is missing, no object says how it
// is stored, and lists of metadata fail like others if an object cannot be converted.
import type { KubeApi, RawAnswer, RawRequest } from '@instar/client';

export function asForeign(api: KubeApi): KubeApi {
  const request = async (asked: RawRequest): Promise<RawAnswer> => {
    if (asked.path.startsWith('/apis/instar.dev'))
      return { status: 404, headers: {}, body: Buffer.from('404 page not found') };
    const { 'instar.dev/showStoredVersion': _, ...query } = asked.query ?? {};
    const { accept = '', ...headers } = asked.headers ?? {};
    const whole = accept.includes('as=PartialObjectMetadataList') ? 'application/json' : accept;
    return api.request({ ...asked, query, headers: { ...headers, accept: whole } });
  };
  return new Proxy(api, {
    get: (target, name) => {
      if (name === 'request') return request;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
