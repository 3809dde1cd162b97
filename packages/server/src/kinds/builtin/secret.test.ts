import { describe, expect, it } from 'vitest';
import { secrets } from './secret.ts';
import { Trial } from './trial.ts';

const trial = new Trial(secrets);
const b64 = (text: string) => Buffer.from(text).toString('base64');

describe('secrets', () => {
  it.each([
    ['kubernetes.io/tls', { 'tls.crt': '' }, ['data[tls.key]: Required value']],
    ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }, []],
    ['kubernetes.io/basic-auth', {}, ['data[username]: Required value', 'data[password]: Required value']],
    ['kubernetes.io/basic-auth', { password: '' }, []],
    ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]: Required value']],
    ['kubernetes.io/dockercfg', {}, ['data[.dockercfg]: Required value']],
    ['kubernetes.io/dockerconfigjson', { '.dockerconfigjson': b64('{"auths":{}}') }, []],
    [
      'kubernetes.io/dockerconfigjson',
      { '.dockerconfigjson': b64('{') },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
    ],
    [
      'kubernetes.io/service-account-token',
      {},
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
    [
      'example.com/other',
      { 'a b': '' },
      [expect.stringContaining('data[a b]: Invalid value: "a b": a valid config key')],
    ],
  ])('of type %s are validated with %j', (type, data, faults) => {
    expect(trial.faults({ type, data })).toEqual(faults);
  });

  it('are Opaque by default', () => {
    expect(trial.create({})['type']).toBe('Opaque');
  });

  it('cannot change their type', () => {
    expect(trial.update({ type: 'example.com/b' }, { type: 'example.com/a' }).faults).toEqual([
      'type: Invalid value: "example.com/b": field is immutable',
    ]);
  });

  it('merge stringData into data', () => {
    expect(trial.create({ data: { a: b64('x'), b: b64('y') }, stringData: { a: 'z' } })).toMatchObject({
      data: { a: b64('z'), b: b64('y') },
    });
  });

  it('never return stringData', () => {
    expect(trial.create({ stringData: { a: 'z' } })).not.toHaveProperty('stringData');
  });

  it('cannot be changed if immutable', () => {
    const { faults } = trial.update(
      { immutable: true, stringData: { a: '2' } },
      { immutable: true, stringData: { a: '1' } },
    );
    expect(faults).toEqual(['data: Forbidden: field is immutable when `immutable` is set']);
  });

  it('can be selected by type', () => {
    expect(trial.selects({})).toEqual({ type: 'Opaque' });
  });

  it('show only the number of their values in a table', () => {
    expect(trial.cells({ data: { a: '' } })).toEqual(['a', 'Opaque', 1, '<unknown>']);
  });
});
