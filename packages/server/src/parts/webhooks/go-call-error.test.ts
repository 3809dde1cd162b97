import { expect, it } from 'vitest';
import { callError } from './go-call-error.ts';
import { BrokenConnection, UnfinishedAnswer } from './http1/connection.ts';

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

it('a call may be retried only if its connection broke before anything was answered', () => {
  const said = (error: Error) => {
    const { message, mayRetry } = callError('u', error);
    return [message, mayRetry];
  };
  expect(said(new BrokenConnection(undefined))).toEqual(['Post "u": EOF', true]);
  expect(said(new BrokenConnection(reset))).toEqual(['Post "u": read: connection reset by peer', true]);
  expect(said(new UnfinishedAnswer(undefined))).toEqual(['Post "u": unexpected EOF', false]);
  expect(said(new UnfinishedAnswer(reset))).toEqual(['Post "u": read: connection reset by peer', false]);
});
