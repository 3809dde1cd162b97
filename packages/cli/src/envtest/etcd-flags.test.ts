import { describe, expect, it } from 'vitest';
import { parseEtcdFlags } from './etcd-flags.ts';

describe('the flags of the etcd stand-in', () => {
  it('listen where envtest says', () => {
    expect(
      parseEtcdFlags([
        '--advertise-client-urls=http://127.0.0.1:41',
        '--data-dir=/tmp/x',
        '--listen-client-urls=http://127.0.0.1:41',
        '--listen-peer-urls=http://127.0.0.1:42',
        '--unsafe-no-fsync=true',
      ]),
    ).toEqual([{ host: '127.0.0.1', port: 41 }]);
  });

  it('may begin with one dash and have their value in the next argument, as kube-api-test gives them', () => {
    expect(parseEtcdFlags(['-data-dir', '/tmp/x', '--listen-client-urls', 'http://0.0.0.0:41'])).toEqual([
      { host: '0.0.0.0', port: 41 },
    ]);
  });

  it('listen on every URL that is listed', () => {
    expect(parseEtcdFlags(['--listen-client-urls=http://127.0.0.1:41,http://[::1]:41'])).toEqual([
      { host: '127.0.0.1', port: 41 },
      { host: '::1', port: 41 },
    ]);
  });

  it('take a switch without a value', () => {
    expect(parseEtcdFlags(['--unsafe-no-fsync', '--listen-client-urls=http://127.0.0.1:41'])).toEqual([
      { host: '127.0.0.1', port: 41 },
    ]);
  });

  it.each([
    [['--client-cert-auth'], /^--client-cert-auth: this etcd only stands in/],
    [['--listen-client-urls=https://127.0.0.1:41'], /only http is supported/],
    [['--listen-client-urls=nowhere'], /"nowhere" is not a URL/],
    [['--data-dir'], /flag needs an argument: --data-dir/],
    [['data'], /"data" is not a flag/],
  ])('refuse %j', (args, reason) => {
    expect(parseEtcdFlags(args)).toMatch(reason);
  });
});
