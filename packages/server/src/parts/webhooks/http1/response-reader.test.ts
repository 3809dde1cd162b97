import { SpareMemory } from '@instar/serving';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Response, ResponseReader } from './response-reader.ts';

const LIMIT = 1_000_000;
const memory = new SpareMemory();

/** Reads the text, split at these positions, and then the end of the connection. */
function read(text: string, cuts: readonly number[] = [], ends = false, limit = LIMIT): Response | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const reader = new ResponseReader(limit, memory);
  for (const [index, start] of [0, ...places].entries()) {
    const piece = Buffer.from(bytes.subarray(start, places[index] ?? bytes.length));
    const response = reader.read(piece);
    // The memory is reused for the next response.
    piece.fill('#');
    if (response !== undefined) return response;
  }
  return ends ? reader.end() : undefined;
}

function shown(response: Response | undefined) {
  if (response === undefined) return undefined;
  const { release, body, ...rest } = response;
  const text = body.toString('latin1');
  release();
  return { ...rest, body: text };
}

const chunked = (body: string, sizes: readonly number[]): string => {
  let [text, at] = ['', 0];
  for (const size of sizes) {
    const chunk = body.slice(at, at + size);
    if (chunk === '') break;
    text += `${chunk.length.toString(16)};ext="1"\r\n${chunk}\r\n`;
    at += chunk.length;
  }
  const rest = body.slice(at);
  return `${text}${rest === '' ? '' : `${rest.length.toString(16).toUpperCase()}\r\n${rest}\r\n`}0\r\nx-trailer: 1\r\n\r\n`;
};

describe('a response', () => {
  it('is the same however it is split', () => {
    const body = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 300,
    });
    const forms = fc.constantFrom('length', 'chunked', 'until the end');
    const numbers = fc.array(fc.nat({ max: 100_000 }), { maxLength: 20 });
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 10 });
    fc.assert(
      fc.property(body, forms, numbers, sizes, fc.boolean(), (content, form, cuts, chunks, isContinued) => {
        const head = `${isContinued ? 'HTTP/1.1 100 Continue\r\n\r\n' : ''}HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n`;
        const texts = {
          length: `${head}Content-Length: ${content.length}\r\n\r\n${content}`,
          chunked: `${head}transfer-encoding: Chunked\r\n\r\n${chunked(content, chunks)}`,
          'until the end': `${head}connection: close\r\n\r\n${content}`,
        };
        expect(shown(read(texts[form], cuts, true))).toEqual({
          status: 200,
          contentType: 'application/json',
          contentEncoding: '',
          location: '',
          body: content,
          keepAliveMs: form === 'until the end' ? 0 : Number.POSITIVE_INFINITY,
        });
      }),
    );
  });

  it.each([
    ['HTTP/1.1 204 No Content\r\n\r\n', 204, Number.POSITIVE_INFINITY],
    ['HTTP/1.1 500\r\ncontent-length: 0\r\n\r\n', 500, Number.POSITIVE_INFINITY],
    ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', 200, 0],
    ['HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 0\r\n\r\n', 200, 0],
    ['HTTP/1.1 200 OK\r\nkeep-alive: timeout=5, max=100\r\ncontent-length: 0\r\n\r\n', 200, 4_000],
    ['HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n', 200, 0],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-length: 0\r\n\r\n', 200, Number.POSITIVE_INFINITY],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nmore than was asked for', 200, 0],
    ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 200, 0],
  ])('says how long its connection can be used: %j', (text, status, keepAliveMs) => {
    expect(shown(read(text))).toEqual({
      status,
      contentType: '',
      contentEncoding: '',
      location: '',
      body: '',
      keepAliveMs,
    });
  });

  it.each([
    ['SSH-2.0-OpenSSH\r\n', 'malformed HTTP response "SSH-'],
    ['HTTP/2 200 OK\r\n\r\n', 'malformed HTTP response "HTTP/2 200 OK'],
    ['HTTP/1.1 2000 OK\r\n\r\n', 'malformed HTTP response "HTTP/1.1 2000 OK"'],
    ['HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n', 'the webhook wants to change the protocol'],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', 'malformed MIME header line: no colon'],
    ['HTTP/1.1 200 OK\r\ncontent-length : 1\r\n\r\n', 'malformed MIME header line'],
    ['HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', 'bad Content-Length "-1"'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'bad Content-Length "1, 2"'],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n',
      'unsupported transfer encoding: "gzip, chunked"',
    ],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n', 'malformed chunked encoding'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n', 'malformed chunked encoding'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 101\r\n\r\n', 'the answer has more than 100 bytes'],
    [
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n65\r\n${'x'.repeat(101)}\r\n`,
      'the answer has more than 100 bytes',
    ],
    [`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(101)}`, 'the answer has more than 100 bytes'],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, 'server response headers exceeded 65536 bytes; aborted'],
  ])('is refused: %j', (text, message) => {
    expect(() => read(text, [5, 17, 40], true, 100)).toThrow(message);
  });

  it('may have many blanks in its head, which are read in linear time', () => {
    const head = `HTTP/1.1 200 OK\r\nx: a${' '.repeat(60_000)}b\r\ncontent-type:\t text/plain \t\r\ncontent-length: 0\r\n\r\n`;
    for (let round = 0; round < 50; round++)
      expect(shown(read(head))).toMatchObject({ contentType: 'text/plain' });
  });

  it('is incomplete if its connection ends too early', () => {
    expect(read('', [], true)).toBeUndefined();
    expect(read('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx', [], true)).toBeUndefined();
    expect(read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n', [], true)).toBeUndefined();
  });
});
