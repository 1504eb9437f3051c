import { Suspense, lazy, useEffect, useState } from 'react';
import { setCodeAsker } from '../../../api/fresh-code.ts';

interface Question {
  id: number;
  error: string | null;
  answer: (code: string | null) => void;
}

// Loaded on demand, because most pages never need it.
const CodeQuestion = lazy(async () => ({ default: (await import('../CodeQuestion.tsx')).CodeQuestion }));

let lastId = 0;

/** Asks for a one-time code when a call needs one; concurrent questions are queued. */
export function FreshCodeDialog() {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  useEffect(
    () =>
      setCodeAsker(
        (error) => new Promise((answer) => setQuestions((all) => [...all, { id: (lastId += 1), error, answer }])),
      ),
    [],
  );
  const [question] = questions;
  if (!question) return null;
  const answer = (code: string | null) => {
    setQuestions((all) => all.slice(1));
    question.answer(code);
  };
  return (
    <Suspense fallback={null}>
      <CodeQuestion key={question.id} error={question.error} onAnswer={answer} />
    </Suspense>
  );
}
