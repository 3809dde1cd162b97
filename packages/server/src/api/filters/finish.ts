// After the handler: an error becomes a response, then the finishers run in order. One filter for all of
// them, since every asynchronous step adds to the cost of each request.
import type { ApiRequest, ApiResponse, Filter, Finisher } from '../../wire/exchange.ts';

export function finishFilter(
  answerOf: (error: unknown, request: ApiRequest) => ApiResponse,
  finishers: readonly Finisher[],
): Filter {
  return async (request, next) => {
    let response: ApiResponse;
    try {
      response = await next(request);
    } catch (error) {
      response = answerOf(error, request);
    }
    for (const finish of finishers) {
      const finished = finish(request, response);
      response = finished instanceof Promise ? await finished : finished;
    }
    return response;
  };
}
