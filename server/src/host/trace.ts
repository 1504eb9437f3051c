import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * Runs `work` in a span. Without an SDK, which an operator loads with `--import`, the API records nothing. Names and
 * attributes are names of calls, actions and jobs, never personal data; so is the type of an error, but not its message.
 */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return trace.getTracer('hengtai').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
