import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { serviceAccountOptions, serviceAccountSettings } from './service-accounts.ts';

function settingsOf(...args: string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of serviceAccountOptions()) command.addOption(option);
  return serviceAccountSettings(command.parse(args, { from: 'user' }).opts());
}

describe('the flags of service accounts', () => {
  it('may all be left out', () => {
    expect(settingsOf()).toEqual({ serviceAccounts: {} });
  });

  it('name several issuers, keys and audiences', () => {
    const args = ['--service-account-issuer=https://a,b', '--service-account-issuer', 'https://c'];
    const keys = ['--service-account-key-file=a,b', '--service-account-key-file=c'];
    expect(settingsOf(...args, ...keys, '--api-audiences=x,y', '--api-audiences=z')).toEqual({
      serviceAccounts: { issuers: ['https://a,b', 'https://c'], keyFiles: ['a,b', 'c'] },
      apiAudiences: ['x', 'y', 'z'],
    });
  });

  it('limit and extend lifetimes', () => {
    const args = ['--service-account-max-token-expiration=90m', '--service-account-extend-token-expiration'];
    expect(settingsOf(...args).serviceAccounts).toEqual({
      maxTokenExpirationSeconds: 5400,
      extendTokenExpiration: true,
    });
    expect(settingsOf('--service-account-extend-token-expiration=false').serviceAccounts).toEqual({
      extendTokenExpiration: false,
    });
  });

  it.each([
    [['--service-account-issuer='], '--service-account-issuer must not be empty'],
    [['--service-account-issuer=:a'], 'contains a ":" and is not a URL'],
    [['--service-account-issuer=a', '--service-account-issuer=a'], 'is given twice'],
    [['--service-account-max-token-expiration=59m'], 'between 1 hour and 2^32 seconds'],
    [['--service-account-jwks-uri=http://a'], 'It must be an https URL'],
    [['--service-account-lookup=false'], 'leave the flag out'],
  ])('%j are refused', (args, why) => {
    expect(() => settingsOf(...args)).toThrow(why);
  });
});
