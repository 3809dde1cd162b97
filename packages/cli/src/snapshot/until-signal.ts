// Runs a process until a signal: SIGTERM or SIGINT abort it, a second one exits immediately.

export function untilSignal(): { readonly signal: AbortSignal; readonly received: Promise<string> } {
  const controller = new AbortController();
  const received = new Promise<string>((resolve) => {
    const onSignal = (name: NodeJS.Signals): void => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(new Error(name));
      resolve(name);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
  return { signal: controller.signal, received };
}
