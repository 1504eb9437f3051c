import { useEffect, useState } from 'react';
import { type FactorQuestion, type FreshFactor, setCodeAsker } from '../../../../api/fresh-code.ts';
import { dialogOnDemand } from '../../../../ui/page/on-demand.tsx';

interface Question {
  id: number;
  asked: FactorQuestion;
  answer: (factor: FreshFactor | null) => void;
}

// Loaded on demand, because most pages never need it.
const FactorDialog = dialogOnDemand(async () => (await import('../FactorDialog.tsx')).FactorDialog);

let lastId = 0;

/** Asks for a second factor when a call needs one; concurrent questions are queued. */
export function FreshCodeDialog() {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  useEffect(
    () =>
      setCodeAsker(
        (asked) => new Promise((answer) => setQuestions((all) => [...all, { id: (lastId += 1), asked, answer }])),
      ),
    [],
  );
  const [question] = questions;
  if (!question) return null;
  const answer = (factor: FreshFactor | null) => {
    setQuestions((all) => all.slice(1));
    question.answer(factor);
  };
  return <FactorDialog key={question.id} question={question.asked} onAnswer={answer} onClose={() => answer(null)} />;
}
