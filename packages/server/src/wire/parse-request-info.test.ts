import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from './parse-request-info.ts';
import { NO_RESOURCE, type RequestInfo } from './request-info.ts';

function infoOf(method: string, url: string): RequestInfo {
  const [path = '', query = ''] = url.split('?');
  return parseRequestInfo(method, path, () => new URLSearchParams(query));
}

describe('non-resource paths', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/healthz',
    '/version/',
    '/other/a/b/c',
  ])('include %s', (path) => {
    expect(infoOf('GET', path)).toEqual({ ...NO_RESOURCE, nonResourceVerb: 'get' });
  });
});

describe('paths of resources', () => {
  const core = { group: '', version: 'v1' };
  it.each<[string, string, Partial<RequestInfo>]>([
    ['GET', '/api/v1/namespaces', { ...core, verb: 'list', resource: 'namespaces' }],
    [
      'GET',
      '/api/v1/namespaces/a',
      { ...core, verb: 'get', resource: 'namespaces', name: 'a', namespace: 'a' },
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      { ...core, verb: 'update', resource: 'namespaces', name: 'a', namespace: 'a', subresource: 'finalize' },
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/status',
      { ...core, verb: 'update', resource: 'namespaces', name: 'a', namespace: 'a', subresource: 'status' },
    ],
    ['POST', '/api/v1/namespaces/a/pods', { ...core, verb: 'create', resource: 'pods', namespace: 'a' }],
    ['GET', '/api/v1/namespaces/a/pods/', { ...core, verb: 'list', resource: 'pods', namespace: 'a' }],
    [
      'HEAD',
      '/api/v1/namespaces/a/pods/p',
      { ...core, verb: 'get', resource: 'pods', namespace: 'a', name: 'p' },
    ],
    [
      'PATCH',
      '/apis/g/v2/things/x/status',
      { group: 'g', version: 'v2', verb: 'patch', resource: 'things', name: 'x', subresource: 'status' },
    ],
    [
      'DELETE',
      '/apis/g/v2/things',
      { group: 'g', version: 'v2', verb: 'deletecollection', resource: 'things' },
    ],
    [
      'DELETE',
      '/apis/g/v2/things/x',
      { group: 'g', version: 'v2', verb: 'delete', resource: 'things', name: 'x' },
    ],
    [
      'OPTIONS',
      '/apis/g/v2/things/x',
      { group: 'g', version: 'v2', verb: '', resource: 'things', name: 'x' },
    ],
    ['GET', '/api/v1/pods?watch=true', { ...core, verb: 'watch', resource: 'pods' }],
    ['GET', '/api/v1/pods?watch', { ...core, verb: 'watch', resource: 'pods' }],
    ['GET', '/api/v1/pods?watch=0', { ...core, verb: 'list', resource: 'pods' }],
    ['GET', '/api/v1/pods?watch=False', { ...core, verb: 'list', resource: 'pods' }],
    [
      'GET',
      '/api/v1/namespaces/a/pods/p?watch=true',
      { ...core, verb: 'get', resource: 'pods', namespace: 'a', name: 'p' },
    ],
    ['GET', '/api/v1/watch/pods', { ...core, verb: 'watch', resource: 'pods' }],
    [
      'GET',
      '/api/v1/watch/namespaces/a/pods/p',
      { ...core, verb: 'watch', resource: 'pods', namespace: 'a', name: 'p' },
    ],
    [
      'GET',
      '/api/v1/pods?fieldSelector=metadata.name%3Dp',
      { ...core, verb: 'list', resource: 'pods', name: 'p' },
    ],
    [
      'GET',
      '/api/v1/pods?fieldSelector=a%3Db,metadata.name%3D%3Dp&watch=1',
      { ...core, verb: 'watch', resource: 'pods', name: 'p' },
    ],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Dp', { ...core, verb: 'list', resource: 'pods' }],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb', { ...core, verb: 'list', resource: 'pods' }],
  ])('are parsed with their verb: %s %s', (method, url, expected) => {
    expect(infoOf(method, url)).toEqual({ ...NO_RESOURCE, isResourceRequest: true, ...expected });
  });

  it('keeps the path segments after the subresource', () => {
    expect(infoOf('GET', '/api/v1/namespaces/a/pods/p/proxy/x/y')).toMatchObject({
      subresource: 'proxy',
      rest: ['x', 'y'],
    });
  });

  it('refuses a watch without a resource', () => {
    expect(() => infoOf('GET', '/api/v1/watch')).toThrow('unable to determine kind and namespace from url');
  });
});
