import { describe, expect, it } from 'vitest';
import { createLog } from './create-log.ts';

function written(options: { readable: boolean }, write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(createLog({ ...options, level: 'debug', destination: { write: (line) => (text += line) } }));
  return text;
}

describe('the log', () => {
  it('is one JSON object per line', () => {
    const line = JSON.parse(written({ readable: false }, (log) => log.info({ requestId: '1' }, 'request')));
    expect(line).toMatchObject({
      level: 'info',
      requestId: '1',
      msg: 'request',
      time: expect.stringMatching(/Z$/),
    });
  });

  it('holds no secrets', () => {
    for (const readable of [true, false]) {
      const text = written({ readable }, (log) => {
        log.info(
          { token: 'hush', headers: { authorization: 'Bearer hush', accept: 'x' }, adminToken: 'hush' },
          'request',
        );
      });
      expect(text).not.toContain('hush');
      expect(text).toContain('[redacted]');
    }
  });

  it('is one readable line on a terminal, followed by the stack', () => {
    const text = written({ readable: true }, (log) =>
      log.error({ err: new Error('ouch'), path: '/a b', n: 1 }, 'it failed'),
    );
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} ERROR it failed path="\/a b" n=1\n {4}Error: ouch\n {4}/);
  });
});
