import { describe, expect, it } from 'vitest';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { readDeleteOptions } from './delete-options.ts';

const read = (body: unknown, query = '') =>
  readDeleteOptions(
    requestWithoutSocket('DELETE', `/x${query}`, {
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }),
  );

describe('the body of a DELETE', () => {
  it.each([
    [{ kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' }],
    [{ kind: 'DeleteOptions', apiVersion: 'nobody.example.com/v7' }],
    [{ apiVersion: 'v2' }],
    [{ kind: null, apiVersion: null }],
    [null],
  ])('may be DeleteOptions of any version: %j', async (body) => {
    expect(await read(body)).toMatchObject({ dryRun: false });
  });

  it.each([
    ['[]', /^couldn't get version\/kind; json parse error: json: cannot unmarshal array into Go value/],
    [{ kind: 1 }, /cannot unmarshal number into Go struct field \.kind of type string$/],
    [{ kind: 'DeleteOptions', apiVersion: 'a/b/c' }, /^unexpected GroupVersion string: a\/b\/c$/],
    [
      { kind: 'ConfigMap', apiVersion: 'v1' },
      /^no kind "ConfigMap" is registered for version "v1" in scheme/,
    ],
    [{ kind: 'X' }, /^no kind "X" is registered for version "meta.k8s.io\/v1" in scheme/],
    [{ kind: 'Status', apiVersion: 'v9' }, /^converting \(v1.Status\) to \(v1.DeleteOptions\): unknown/],
    [{ kind: 'ListOptions', apiVersion: 'meta.k8s.io/v1' }, /^converting \(v1.ListOptions\) to/],
    [{ dryRun: 'All' }, /string into Go struct field DeleteOptions.dryRun of type \[\]string$/],
    [{ dryRun: [1] }, /number into Go struct field DeleteOptions.dryRun of type string$/],
    [{ gracePeriodSeconds: 1.5 }, /number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds/],
    [{ preconditions: [] }, /array into Go struct field DeleteOptions.preconditions of type v1.Precond/],
    [{ preconditions: { uid: 1 } }, /struct field Preconditions.preconditions.uid of type types.UID$/],
  ])('is refused with the words of upstream: %j', async (body, message) => {
    await expect(read(body)).rejects.toThrow(message);
  });
});

describe('the query of a DELETE', () => {
  it('has preconditions by the names of their fields', async () => {
    expect(await read('', '?uid=u&resourceVersion=7')).toMatchObject({ uid: 'u', resourceVersion: '7' });
    expect((await read('', '?uid=&resourceVersion=')).given).toEqual({});
  });

  it('treats all booleans but false and 0 as true', async () => {
    expect((await read('', '?orphanDependents=')).orphanDependents).toBe(true);
    expect((await read('', '?orphanDependents=FALSE')).orphanDependents).toBe(false);
  });

  it('must have a number where it has a number parameter', async () => {
    await expect(read('', '?gracePeriodSeconds=')).rejects.toThrow(
      'strconv.ParseInt: parsing "": invalid syntax',
    );
  });

  it('does not count if there is a body', async () => {
    expect(await read({}, '?uid=u')).toMatchObject({ uid: undefined });
  });
});
