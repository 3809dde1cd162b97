import type { IncomingMessage } from 'node:http';

/** What came in, as text; nothing where the connection ended before that. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    return text;
  } catch {
    return undefined;
  }
}
