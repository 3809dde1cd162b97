// A TCP proxy between a server and a member of etcd that can drop or hold bytes and close connections.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `hold` keeps bytes without passing them on, as a network that drops all packets looks to TCP; `refuse`
 * closes and refuses connections.
 */
export type ProxyMode = 'pass' | 'hold' | 'refuse' | 'slow';

const SLOW_MS = 40;

export class FaultProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #mode: ProxyMode = 'pass';

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async open(target: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => proxy.#server.once('listening', resolve));
    return proxy;
  }

  get endpoint(): string {
    return `127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  set mode(mode: ProxyMode) {
    this.#mode = mode;
    for (const socket of this.#sockets) {
      if (mode === 'refuse') socket.destroy();
      else if (mode === 'hold') socket.pause();
      else socket.resume();
    }
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    if (this.#mode === 'refuse') {
      socket.destroy();
      return;
    }
    const other = connect(this.#target, '127.0.0.1');
    this.#join(socket, other);
    this.#join(other, socket);
    if (this.#mode === 'hold') for (const one of [socket, other]) one.pause();
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    // Held bytes are sent first, whatever the mode is by then: TCP keeps the order.
    let before: Promise<void> | undefined;
    const pass = (chunk: Buffer): void => void (to.writable && to.write(chunk));
    from.on('data', (chunk) => {
      if (this.#mode !== 'slow' && before === undefined) return pass(chunk);
      const delayed = Promise.all([before, sleep(this.#mode === 'slow' ? SLOW_MS : 0)]).then(() => {
        pass(chunk);
        if (before === delayed) before = undefined;
      });
      before = delayed;
    });
    from.on('error', () => to.destroy());
    from.once('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
