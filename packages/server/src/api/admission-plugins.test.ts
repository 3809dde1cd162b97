import { describe, expect, it } from 'vitest';
import { disabledPlugins } from './admission-plugins.ts';

describe('the lists of admission plugins', () => {
  it('turn off what this server has', () => {
    const off = disabledPlugins([], ['NamespaceLifecycle', 'ValidatingAdmissionWebhook']);
    expect([...off]).toEqual(expect.arrayContaining(['NamespaceLifecycle', 'ValidatingAdmissionWebhook']));
    expect(off).not.toContain('LimitRanger');
  });

  it('turn on what is off', () => {
    expect(disabledPlugins([], [])).toContain('ServiceAccount');
    expect(disabledPlugins(['ServiceAccount'], [])).not.toContain('ServiceAccount');
  });

  it('may turn off what this server does not have', () => {
    expect(disabledPlugins([], ['ClusterTrustBundleAttest'])).toEqual(disabledPlugins([], []));
  });

  it('may turn on what kube-apiserver has on by default', () => {
    expect([...disabledPlugins(['NamespaceLifecycle', 'PodSecurity'], [])]).not.toContain(
      'NamespaceLifecycle',
    );
  });

  it('cannot turn on what this server does not have', () => {
    expect(() => disabledPlugins(['NodeRestriction'], [])).toThrow(
      'enable-admission-plugins plugin "NodeRestriction" is not part of this server',
    );
  });

  it.each([
    [['Nothing'], [], 'enable-admission-plugins plugin "Nothing" is unknown'],
    [[], ['__proto__'], 'disable-admission-plugins plugin "__proto__" is unknown'],
    [
      ['ServiceAccount', 'LimitRanger'],
      ['LimitRanger', 'ServiceAccount'],
      '[LimitRanger ServiceAccount] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
  ])('that enable %j and disable %j are refused as kube-apiserver refuses them', (on, off, message) => {
    expect(() => disabledPlugins(on, off)).toThrow(message);
  });
});
