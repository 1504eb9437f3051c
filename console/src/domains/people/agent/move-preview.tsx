import type { AgentMovePreview } from '@hengtai/contract/people/agent/schema';
import { toDisplayError } from '../../../api/display-error.ts';
import { lostAbilitiesText } from './words.ts';

/** Why the server would refuse the previewed call; undefined if it would not. */
export const refusalOf = (query: { data: { refusal: string | null } | undefined; error: unknown }) =>
  query.error ? toDisplayError(query.error).msg : (query.data?.refusal ?? undefined);

interface Props extends Pick<AgentMovePreview, 'lost' | 'refusal'> {
  /** The agent that takes over. */
  from: string;
  /** Label of the refusal. */
  refused: string;
}

/** The abilities that the move would cost, and why the server would refuse it. */
export const LossItems = ({ lost, from, refusal, refused }: Props) => (
  <>
    <div>
      <dt>失去权限</dt>
      <dd className={lost.length > 0 ? 'ht-value-warn' : undefined}>
        {lost.length > 0 ? `${from}没有：${lostAbilitiesText(lost)}` : '无'}
      </dd>
    </div>
    {refusal !== null && (
      <div role="alert">
        <dt>{refused}</dt>
        <dd className="ht-agent-refusal">{refusal}</dd>
      </div>
    )}
  </>
);
