import { useEffect, useState } from 'react';
import { useTabs } from '../navigation/tabs.ts';
import { dialogOnDemand } from '../ui/page/on-demand.tsx';
import { type Question, setAsker } from '../ui/dialog/question.ts';

const load = async () => (await import('../ui/dialog/QuestionDialog.tsx')).QuestionDialog;
const QuestionDialog = dialogOnDemand(load);

/** The place of questions that `ask` puts. */
export function Questions() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => setAsker(setQuestion), []);
  const hasUnsaved = useTabs(({ guarded }) => Object.values(guarded).some((forms) => forms.length > 0));
  // Loaded once there is something to lose, so that the question can be asked without a network.
  useEffect(() => {
    if (hasUnsaved) load().catch(() => undefined);
  }, [hasUnsaved]);
  if (!question) return null;
  const { onConfirm, onBack, ...texts } = question;
  const answer = (next?: () => void) => () => {
    setQuestion(undefined);
    next?.();
  };
  return <QuestionDialog {...texts} onConfirm={answer(onConfirm)} onClose={answer(onBack)} />;
}
