(* A checker of test vectors, spec/vectors: the measures of a vector and their values by the
    chapters' definitions,
   expressions that have these values, and a program that encloses an expression and compares it
       with the points
   half-way to the neighbours of a double.  The enclosures are those of coq-interval, with 256 bits.
       *)
Require Import Reals Lra Lia List ZArith QArith Qreals Psatz Bool Permutation.
From Interval Require Import Specific_ops Specific_bigint Float_full Interval Basic Xreal.
From Rankspec Require Length Precision Cascade Relevance.
From Rankspec Require Import Numbers Gain Ties Dcg Bounds Session SessionIdeal SessionNormalised
  SessionQueries Numerics.
Import ListNotations.
Module F := SpecificFloat BigIntRadix2.
Module I := FloatIntervalFull F.
Open Scope R_scope.

(** * What a vector says *)

Notation reals := (map Q2R).

(** Labels with their gain *)
Inductive labels := Linear (l : list Q) | Exp2 (l : list N) | Table (w : list Q) (l : list nat).
Definition gains L := match L with
  | Linear l => map linear (reals l)
  | Exp2 l => map exp2 (map (fun n => IZR (Z.of_N n)) l)
  | Table w l => map (table (reals w)) l
  end.

(** The labels without their gain, and the gain of a label by its formula *)
Definition raw L := match L with
  | Linear l => reals l | Exp2 l => map (fun n => IZR (Z.of_N n)) l | Table w l => map INR l end.
Definition gain_of L : R -> R := match L with
  | Linear _ => linear | Exp2 _ => exp2 | Table _ _ => fun _ => 0 end.

Inductive discount := Log (b : Q) | Jarvelin2008 (b : Q) | Jarvelin2002 (b : Q) | Zipf | Weights (w
    : list Q) | NoDiscount
  | Jiang2016 (b : Q).
Definition discount_at D : nat -> R := match D with
  | Log b => d_log (Q2R b) | Jarvelin2008 b => d_jarvelin_2008 (Q2R b) | Jarvelin2002 b =>
      d_jarvelin_2002 (Q2R b)
  | Zipf => d_zipf | Weights w => d_weights (reals w) | NoDiscount => d_none | Jiang2016 b =>
      d_jiang_2016 (Q2R b)
  end.

(** Metrics of rankings, with the pool J where they have one; the prior W of the lengths is written
    as a discount. *)
Inductive metric :=
  | CG (k : nat) | DCG (k : nat) (D : discount)
  | NDCG (k : nat) (D : discount) (J : labels) | NDCG_all (k : nat) (D : discount) (J : labels)
  | NDCG_shown (k : nat) (D : discount) (J : labels) | NDCG_perfect (k : nat) (D : discount)
  | NCG (k : nat) (J : labels)
  | LDCG (k : nat) (D W : discount) | LDCG_Z (k : nat) (D W : discount)
  | LNDCG (k : nat) (D W : discount) (J : labels).
Definition metric_of m : list R -> R := match m with
  | CG k => cg k
  | DCG k D => dcg k (discount_at D)
  | NDCG k D J => fun r => ndcg k (discount_at D) r (gains J)
  | NDCG_all k D J => fun r => ndcg_all k (discount_at D) r (gains J)
  | NDCG_shown k D J => fun r => ndcg_shown k (discount_at D) r (gains J)
  | NDCG_perfect k D => ndcg_perfect k (discount_at D)
  | NCG k J => fun r => ncg k r (gains J)
  | LDCG k D W => Length.ldcg 1 k (discount_at D) (discount_at W)
  | LDCG_Z k D W => Length.ldcg (Length.Z k 1 (discount_at W)) k (discount_at D) (discount_at W)
  | LNDCG k D W J => fun r => Length.lndcg k (discount_at D) (discount_at W) r (gains J)
  end.

(** A list in rank order, or tie groups by its scores, the highest first, and the rule for ties *)
Inductive rule := Expected | AsInput | BestFirst | WorstFirst.
Inductive ranking := Ranked (r : labels) | Scored (t : rule) (scores : list Q) (r : labels).
Fixpoint join {A} (s : Q) (x : A) T := match T with
  | [] => [(s, [x])]
  | (s', t) :: T' => if Qeq_bool s s' then (s', x :: t) :: T' else if Qle_bool s' s then (s, [x]) ::
      T else (s', t) :: join s x T'
  end.
Fixpoint scored {A} scores (l : list A) := match scores, l with s :: scores', x :: l' => join s x
    (scored scores' l') | _, _ => [] end.
Definition tied {A} scores (l : list A) := map snd (scored scores l).
Definition value_of m ranking := match ranking with
  | Ranked r => metric_of m (gains r)
  | Scored Expected scores r => expectation (metric_of m) (tied scores (gains r))
  | Scored AsInput scores r => metric_of m (concat (tied scores (gains r)))
  | Scored BestFirst scores r => metric_of m (concat (map best (tied scores (gains r))))
  | Scored WorstFirst scores r => metric_of m (concat (map worst (tied scores (gains r))))
  end.

(** The bounds of a pool.  Of metrics adjusted to the length, the ideal bound is that of all lists.
    *)
Definition ideal_bound m J := match m with
  | LDCG k D W => Length.ildcg 1 k (discount_at D) (discount_at W) J
  | LDCG_Z k D W => Length.ildcg (Length.Z k 1 (discount_at W)) k (discount_at D) (discount_at W) J
  | LNDCG k D W P => quotient (Length.ildcg 1 k (discount_at D) (discount_at W) J) (Length.ildcg 1 k
      (discount_at D) (discount_at W) (gains P))
  | _ => iub (metric_of m) J
  end.

(** Metrics of relevant items, the pool as well *)
Inductive binary := Prec (k : nat) | Recall (k : nat) (J : list Q) | RR (k : nat) | SP (k : nat)
  | AP_R (k : nat) (J : list Q) | AP_min (k : nat) (J : list Q) | AP_k (k : nat) | AP_retrieved (k :
      nat) | AP_hits (k : nat).
Definition binary_of least m : list bool -> Q := match m with
  | Prec k => Precision.precision k | Recall k J => Precision.recall k (Precision.count
      (Precision.relevance least J)) | RR k => Precision.rr k | SP k => Precision.sp k
  | AP_R k J => Precision.ap Precision.of_R k (Precision.count (Precision.relevance least J)) |
      AP_min k J => Precision.ap Precision.of_min k (Precision.count (Precision.relevance least J))
  | AP_k k => Precision.ap Precision.of_k k 0 | AP_retrieved k => Precision.ap
      Precision.of_retrieved k 0
  | AP_hits k => Precision.ap Precision.of_hits k 0
  end.

(** The probabilities to stop at labels: of the highest label most, by a list, or the labels
    themselves.  The labels of the first two are whole numbers. *)
Inductive stops := Stop (most : nat) | Stops (w : list Q) | StopLabel.
Definition whole_label (x : Q) := Z.to_nat (Qnum x).
Definition probability P (x : Q) := match P with
  | Stop most => Cascade.stop most (whole_label x) | Stops w => table (reals w) (whole_label x)
  | StopLabel => Q2R x end.

(** The exponent x of a gain 2^x - 1: the label itself, or its relevance by control points *)
Inductive exponents := Itself | By_points (p : list (Q * Q))
  | By_text (q : Relevance.Quartiles) (S : list Q)
  | By_program (q : Relevance.Quartiles) (S : list Q).
Definition exponent_of f (s : Q) : Q := match f with
  | Itself => s | By_points p => Relevance.phi_of p s
  | By_text q l => Relevance.phi_of (Relevance.control_points q l) s
  | By_program q l => Relevance.phi_of (Relevance.control_points_of_program q l) s end.

(** Measures of the labels of a list *)
Inductive rated := Binary (m : binary) (least : Q) | GAP (k : nat) (q J : list Q)
  | RBP (k : nat) (p least : Q)
  | ERR (k : nat) (P : stops) | NERR (k : nat) (P : stops) (J : list Q)
  | CG_phi (k : nat) (f : exponents) | DCG_phi (k : nat) (D : discount) (f : exponents)
  | NDCG_phi (k : nat) (D : discount) (f : exponents) (J : list Q).
Definition rated_of M (r : list Q) : R := match M with
  | Binary m least => Q2R (binary_of least m (Precision.relevance least r))
  | GAP k q J => Q2R (Precision.gap q k r J)
  | RBP k p least => Cascade.rbp k (Q2R p) (Precision.gains (Precision.relevance least r))
  | ERR k P => Cascade.err k (map (probability P) r)
  | NERR k P J => Cascade.nerr k (map (probability P) r) (map (probability P) J)
  | CG_phi k f => cg k (map (fun s => Relevance.gain_phi (exponent_of f s)) r)
  | DCG_phi k D f => Relevance.dcg_phi k (discount_at D) (exponent_of f) r
  | NDCG_phi k D f J => Relevance.ndcg_phi k (discount_at D) (exponent_of f) r J
  end.
(** The highest labels first: [q_best_value] says that this is [best] of real numbers. *)
Fixpoint q_put (x : Q) l := match l with [] => [x] | y :: l' => if Qle_bool y x then x :: l else y
    :: q_put x l' end.
Fixpoint q_best l := match l with [] => [] | x :: l' => q_put x (q_best l') end.
Definition q_worst l := rev (q_best l).
(** A list of labels in rank order, or with scores *)
Inductive listing := InOrder (r : list Q) | ByScores (t : rule) (scores r : list Q).
Definition rated_value M l := match l with
  | InOrder r => rated_of M r
  | ByScores Expected scores r => expectation (rated_of M) (tied scores r)
  | ByScores AsInput scores r => rated_of M (concat (tied scores r))
  | ByScores BestFirst scores r => rated_of M (concat (map q_best (tied scores r)))
  | ByScores WorstFirst scores r => rated_of M (concat (map q_worst (tied scores r)))
  end.

(** What relates a value A to the bounds I, L (of random orders) and W (of the worst) *)
Inductive relation := ByUpper | ByUL1 | ByUL2 | ByMinMax | ByMinMax_worst | ByRatio.
Definition related b (A I L W : R) := match b with
  | ByUpper => U A I | ByUL1 => Bounds.UL1 A I L | ByUL2 => Bounds.UL2 A I L
  | ByMinMax => Bounds.MinMax A I L | ByMinMax_worst => Bounds.MinMax A I W
  | ByRatio => Bounds.Ratio A L end.

(** The bounds of SP by karmaker-2022, and of AP, of which both are divided by the normaliser *)
Definition by_paper least m (bound : nat -> Q) : Q := match m with
  | SP k => bound k
  | AP_R k J => bound k / Precision.nat_Q (Precision.normaliser Precision.of_R k
      (Precision.count (Precision.relevance least J)) [])
  | AP_min k J => bound k / Precision.nat_Q (Precision.normaliser Precision.of_min k
      (Precision.count (Precision.relevance least J)) [])
  | AP_k k => bound k / Precision.nat_Q (Precision.normaliser Precision.of_k k 0 [])
  | _ => 0 end.
Definition rlb_by_paper m least J :=
  by_paper least m (fun k => Precision.rlb_of_paper k (Precision.relevance least J)).
Definition iub_by_paper m least := by_paper least m Precision.iub_of_paper.

Inductive measure :=
  | Number (q : Q) | Mean (l : list Q)
  | Value (m : metric) (r : ranking)
  | IDCG (k : nat) (D : discount) (J : labels)
  | ILDCG (k : nat) (D W : discount) (J : labels) | ILDCG_Z (k : nat) (D W : discount) (J : labels)
  | ILDCG_eq7 (k : nat) (D W : discount) (J : labels)
  | ILDCG_eq7_Z (k : nat) (D W : discount) (J : labels)
  | LNDCG_eq7 (k : nat) (D W : discount) (r J : labels)
  | IUB (m : metric) (J : labels) | RLB (m : metric) (J : labels) | WLB (m : metric) (J : labels)
  | Upper (m : metric) (r : ranking) (J : labels)
  | UL1 (m : metric) (r : ranking) (J : labels) | UL2 (m : metric) (r : ranking) (J : labels)
  | MinMax (m : metric) (r : ranking) (J : labels) | MinMax_worst (m : metric) (r : ranking) (J :
      labels)
  | Ratio (m : metric) (r : ranking) (J : labels)
  | RLB_eq7 (k : nat) (D : discount) (J : labels)
  | UL1_eq7 (k : nat) (D : discount) (r : ranking) (J : labels) | UL2_eq7 (k : nat) (D : discount)
      (r : ranking) (J : labels)
  | MinMax_eq7 (k : nat) (D : discount) (r : ranking) (J : labels)
  | SDCG (k : nat) (D Q : discount) (s : list labels) | SDCG_q (k : nat) (D Q : discount) (s : list
      labels)
  | IsDCG (k c : nat) (D Q : discount) (J : labels) (s : list labels)
  | NsDCG (k c : nat) (D Q : discount) (J : labels) (s : list labels)
  | Rated (M : rated) (r : listing)
  | Rated_IUB (M : rated) (J : list Q) | Rated_RLB (M : rated) (J : list Q)
  | Rated_WLB (M : rated) (J : list Q)
  | Rated_by (b : relation) (M : rated) (r : listing) (J : list Q)
  | Paper_IUB (m : binary) (least : Q) | Paper_RLB (m : binary) (least : Q) (J : list Q)
  | Paper_by (b : relation) (m : binary) (least : Q) (r : listing) (J : list Q)
  | Variance (m : metric) (J : labels) | Rated_variance (M : rated) (J : list Q)
  | Z_value (m : metric) (r : ranking) (J : labels)
  | Rated_z_value (M : rated) (r : listing) (J : list Q).
Definition value f := match f with
  | Number q => Q2R q
  | Mean l => mean Q2R l
  | Value m r => value_of m r
  | IDCG k D J => idcg k (discount_at D) (gains J)
  | ILDCG k D W J => Length.ildcg 1 k (discount_at D) (discount_at W) (gains J)
  | ILDCG_Z k D W J => Length.ildcg (Length.Z k 1 (discount_at W)) k (discount_at D) (discount_at W)
      (gains J)
  | ILDCG_eq7 k D W J =>
      Length.ildcg_eq7 1 k (discount_at D) (discount_at W) (gain_of J) (raw J)
  | ILDCG_eq7_Z k D W J => Length.ildcg_eq7 (Length.Z k 1 (discount_at W)) k (discount_at D)
      (discount_at W) (gain_of J) (raw J)
  | LNDCG_eq7 k D W r J =>
      Length.lndcg_eq7 k (discount_at D) (discount_at W) (gain_of J) (raw r) (raw J)
  | IUB m J => ideal_bound m (gains J)
  | RLB m J => rlb (metric_of m) (gains J)
  | WLB m J => wlb (metric_of m) (gains J)
  | Upper m r J => U (value_of m r) (ideal_bound m (gains J))
  | UL1 m r J => Bounds.UL1 (value_of m r) (ideal_bound m (gains J)) (rlb (metric_of m) (gains J))
  | UL2 m r J => Bounds.UL2 (value_of m r) (ideal_bound m (gains J)) (rlb (metric_of m) (gains J))
  | MinMax m r J => Bounds.MinMax (value_of m r) (ideal_bound m (gains J)) (rlb (metric_of m) (gains
      J))
  | MinMax_worst m r J => Bounds.MinMax (value_of m r) (ideal_bound m (gains J)) (wlb (metric_of m)
      (gains J))
  | Ratio m r J => Bounds.Ratio (value_of m r) (rlb (metric_of m) (gains J))
  | RLB_eq7 k D J => rlb_eq7 k (discount_at D) (gains J)
  | UL1_eq7 k D r J => Bounds.UL1 (value_of (DCG k D) r) (idcg k (discount_at D) (gains J)) (rlb_eq7
      k (discount_at D) (gains J))
  | UL2_eq7 k D r J => Bounds.UL2 (value_of (DCG k D) r) (idcg k (discount_at D) (gains J)) (rlb_eq7
      k (discount_at D) (gains J))
  | MinMax_eq7 k D r J => Bounds.MinMax (value_of (DCG k D) r) (idcg k (discount_at D) (gains J))
      (rlb_eq7 k (discount_at D) (gains J))
  | SDCG k D Q s => sdcg k (discount_at D) (discount_at Q) (map gains s)
  | SDCG_q k D Q s => sdcg_q k (discount_at D) (discount_at Q) (map gains s)
  | IsDCG k c D Q J s => isdcg k c (discount_at D) (discount_at Q) (gains J) (map gains s)
  | NsDCG k c D Q J s => nsdcg k c (discount_at D) (discount_at Q) (gains J) (map gains s)
  | Rated M r => rated_value M r
  | Rated_IUB M J => rated_of M (q_best J)
  | Rated_RLB M J => expectation (rated_of M) [J]
  | Rated_WLB M J => rated_of M (q_worst J)
  | Rated_by b M r J => related b (rated_value M r) (rated_of M (q_best J))
      (expectation (rated_of M) [J]) (rated_of M (q_worst J))
  | Paper_IUB m least => Q2R (iub_by_paper m least)
  | Paper_RLB m least J => Q2R (rlb_by_paper m least J)
  | Paper_by b m least r J => related b (rated_value (Binary m least) r)
      (Q2R (iub_by_paper m least)) (Q2R (rlb_by_paper m least J))
      (rated_of (Binary m least) (q_worst J))
  | Variance m J => variance (metric_of m) (gains J)
  | Rated_variance M J => variance (rated_of M) J
  | Z_value m r J => z_value (metric_of m) (gains J) (value_of m r)
  | Rated_z_value M r J => z_value (rated_of M) J (rated_value M r)
  end.

(** A vector: its double, by its 64 bits, is the nearest to its value (RS-NUM-1). *)
Definition holds (v : measure * Z) := nearest_double (value (fst v)) (snd v).

(** * Expressions *)

Inductive ex := Num (q : Q) | InvLog (b n : Q) | Add (a b : ex) | Sub (a b : ex) | Mul (a b : ex) |
    Div (a b : ex) | Quot (a b : ex)
  | Max (a b : ex) | IfLess (a b c d : ex) | IfEqual (a b c d : ex) | Sqrt (a : ex) | Pow2 (q : Q).
Fixpoint ev e : R := match e with
  | Num q => Q2R q | InvLog b n => 1 / log (Q2R b) (Q2R n)
  | Add a b => ev a + ev b | Sub a b => ev a - ev b | Mul a b => ev a * ev b | Div a b => ev a / ev
      b
  | Quot a b => quotient (ev a) (ev b) | Max a b => Rmax (ev a) (ev b)
  | IfLess a b c d => if Rlt_dec (ev a) (ev b) then ev c else ev d
  | IfEqual a b c d => if Req_EM_T (ev a) (ev b) then ev c else ev d
  | Sqrt a => sqrt (ev a) | Pow2 q => Rpower 2 (Q2R q)
  end.

(** ** Exactly: rational numbers, and sums of rational multiples of 1 / log_b n *)

Definition form := (Q * list (Q * Q * Q))%type.
Definition term (t : Q * Q * Q) := Q2R (snd t) * (1 / log (Q2R (fst (fst t))) (Q2R (snd (fst t)))).
Definition form_value (f : form) := Q2R (fst f) + total term (snd f).
Definition same (p q : Q) := (Qnum p =? Qnum q)%Z && (Qden p =? Qden q)%positive.
Fixpoint insert t (l : list (Q * Q * Q)) := match l with
  | [] => [t]
  | u :: l' => if same (fst (fst t)) (fst (fst u)) && same (snd (fst t)) (snd (fst u))
      then (fst u, Qred (snd t + snd u)) :: l' else u :: insert t l'
  end.
Definition sum_of (f g : form) : form := (Qred (fst f + fst g), fold_right insert (snd g) (snd f)).
Definition times c (f : form) : form := (Qred (c * fst f), map (fun t => (fst t, Qred (c * snd t)))
    (snd f)).
Definition rational (f : form) := if forallb (fun t => Qeq_bool (snd t) 0) (snd f) then Some (fst f)
    else None.

(** p / q with n^p = b^q: 1 / log_b n *)
Fixpoint power fuel b m := match fuel with O => O | S fuel' => if (m <=? 1)%Z then O else S (power
    fuel' b (m / b)%Z) end.
Fixpoint inverse_log b n ps := match ps with
  | [] => None
  | p :: ps' => let q := power 200 b (n ^ Z.of_nat p) in
      if (n ^ Z.of_nat p =? b ^ Z.of_nat q)%Z && (0 <? q)%nat then Some (Z.of_nat p # Pos.of_nat
          q)%Q else inverse_log b n ps'
  end.
Definition inverse_log_of (b n : Q) := if (Qden b =? 1)%positive && (Qden n =? 1)%positive && (1 <?
    Qnum b)%Z && (1 <? Qnum n)%Z
  then inverse_log (Qnum b) (Qnum n) [1; 2; 3; 4]%nat else None.

Definition both {A} (f g : option form) (h : Q -> Q -> option A) := match f, g with
  | Some f, Some g => match rational f, rational g with Some p, Some q => h p q | _, _ => None end
  | _, _ => None
  end.
Fixpoint lin e : option form := match e with
  | Num q => Some (q, [])
  | InvLog b n => match inverse_log_of b n with Some q => Some (q, []) | None => Some (0%Q, [(b, n,
      1%Q)]) end
  | Add a b => match lin a, lin b with Some f, Some g => Some (sum_of f g) | _, _ => None end
  | Sub a b => match lin a, lin b with Some f, Some g => Some (sum_of f (times (-1) g)) | _, _ =>
      None end
  | Mul a b => match lin a, lin b with
      | Some f, Some g => match rational f, rational g with
          | Some p, _ => Some (times p g) | _, Some q => Some (times q f) | _, _ => None end
      | _, _ => None end
  | Div a b => match lin a, lin b with
      | Some f, Some g => match rational f, rational g with
          | _, Some q => if Qeq_bool q 0 then None else Some (times (/ q) f)
          | Some p, _ => if Qeq_bool p 0 then Some (0%Q, []) else None
          | _, _ => None end
      | _, _ => None end
  | Quot a b => match lin a, lin b with
      | Some f, Some g => match rational f, rational g with
          | _, Some q => if Qle_bool q 0 then Some (0%Q, []) else Some (times (/ q) f)
          | Some p, _ => if Qeq_bool p 0 then Some (0%Q, []) else None
          | _, _ => None end
      | _, _ => None end
  | Max a b => both (lin a) (lin b) (fun p q => Some (if Qle_bool p q then q else p, []))
  | IfLess a b c d => both (lin a) (lin b) (fun p q => if Qle_bool q p then lin d else lin c)
  | IfEqual a b c d => both (lin a) (lin b) (fun p q => if Qeq_bool p q then lin c else lin d)
  | Sqrt _ | Pow2 _ => None
  end.

Lemma same_eq p q : same p q = true -> p = q.
Proof. unfold same; destruct p, q; cbn; rewrite andb_true_iff, Z.eqb_eq, Pos.eqb_eq; intros [-> ->];
    reflexivity. Qed.
Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_0 : Q2R 0 = 0.  Proof. unfold Q2R; cbn; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1.  Proof. unfold Q2R; cbn; lra. Qed.
Lemma Qeq_R p q : Qeq_bool p q = true -> Q2R p = Q2R q.
Proof. intros H; apply Qeq_eqR, Qeq_bool_iff; assumption. Qed.
Lemma Qle_R p q : Qle_bool p q = true -> Q2R p <= Q2R q.
Proof. intros H; apply Qle_Rle, Qle_bool_iff; assumption. Qed.
Lemma Qlt_R p q : Qle_bool p q = false -> Q2R q < Q2R p.
Proof. intros H; apply Qlt_Rlt, Qnot_le_lt; intros L; apply Qle_bool_iff in L; congruence. Qed.
Lemma Qneq_R p q : Qeq_bool p q = false -> Q2R p <> Q2R q.
Proof. intros H E; apply eqR_Qeq in E; apply Qeq_bool_iff in E; congruence. Qed.

Lemma insert_value t l : total term (insert t l) = term t + total term l.
Proof.
  induction l as [|u l IH]; cbn [insert]; [reflexivity|].
  destruct (same _ _ && _) eqn:E; cbn [total]; [|rewrite IH; lra].
  apply andb_prop in E; destruct E as [A B]; apply same_eq in A, B; unfold term; cbn [fst snd];
      rewrite A, B, Q2R_red, Q2R_plus; lra.
Qed.
Lemma sum_value f g : form_value (sum_of f g) = form_value f + form_value g.
Proof.
  unfold form_value, sum_of; cbn [fst snd]; rewrite Q2R_red, Q2R_plus.
  assert (forall l m, total term (fold_right insert m l) = total term l + total term m) as ->;
      [|lra].
  intros l m; induction l; cbn [fold_right total]; [lra|rewrite insert_value, IHl; lra].
Qed.
Lemma times_value c f : form_value (times c f) = Q2R c * form_value f.
Proof.
  unfold form_value, times; cbn [fst snd]; rewrite Q2R_red, Q2R_mult, total_map, Rmult_plus_distr_l,
      <- total_scale; f_equal.
  apply total_ext; intros t _; unfold term; cbn [fst snd]; rewrite Q2R_red, Q2R_mult; ring.
Qed.
Lemma rational_value f q : rational f = Some q -> form_value f = Q2R q.
Proof.
  unfold rational, form_value; destruct (forallb _ _) eqn:E; [intros [= <-]|discriminate].
  assert (total term (snd f) = 0) as ->; [|lra].
  rewrite forallb_forall in E; rewrite (total_ext _ (fun _ => 0)), total_const; [lra|].
  intros t T; unfold term; rewrite (Qeq_R _ _ (E t T)), Q2R_0; lra.
Qed.
Lemma ln_power x p : 0 < x -> ln (x ^ p) = INR p * ln x.
Proof.
  intros X; induction p; [cbn; rewrite ln_1; lra|]; rewrite S_INR; cbn [pow].
  rewrite ln_mult, IHp by (assumption || apply pow_lt; assumption); lra.
Qed.
Lemma inverse_log_value b n ps q : (1 < b)%Z -> (1 < n)%Z -> inverse_log b n ps = Some q -> 1 / log
    (IZR b) (IZR n) = Q2R q.
Proof.
  intros B N; induction ps as [|p ps IH]; [discriminate|]; cbn [inverse_log].
  generalize (power 200 b (n ^ Z.of_nat p)) as m; intro m; destruct (_ && _) eqn:E; [|assumption];
      intros [= <-].
  apply andb_prop in E; destruct E as [E M]; apply Z.eqb_eq in E; apply Nat.ltb_lt in M.
  apply IZR_lt in B, N; pose proof (ln_pos _ B); pose proof (ln_pos _ N).
  assert (INR p * ln (IZR n) = INR m * ln (IZR b)) as L.
  { rewrite <- !ln_power, !pow_IZR, E by lra; reflexivity. }
  apply lt_INR in M; cbn [INR] in M; unfold Q2R; cbn [Qnum Qden].
  assert (IZR (Z.pos (Pos.of_nat m)) = INR m) as ->.
  { rewrite <- positive_nat_Z, Nat2Pos.id, <- INR_IZR_INZ; [reflexivity|intros ->; cbn in M; lra]. }
  rewrite <- INR_IZR_INZ; unfold log; apply (Rmult_eq_reg_r (ln (IZR n) * INR m)); [|apply
      Rmult_integral_contrapositive; lra].
  transitivity (INR m * ln (IZR b)); [field|rewrite <- L; field]; lra.
Qed.

Lemma lin_value e f : lin e = Some f -> ev e = form_value f.
Proof.
  assert (forall A (x y : option form) (h : Q -> Q -> option A) z, both x y h = Some z ->
    exists f g p q, x = Some f /\ y = Some g /\ form_value f = Q2R p /\ form_value g = Q2R q /\ h p
        q = Some z) as B.
  { intros A x y h z; unfold both; destruct x as [x|], y as [y|]; try discriminate.
    destruct (rational x) eqn:X, (rational y) eqn:Y; try discriminate; intros H; apply
        rational_value in X, Y; repeat eexists; eassumption. }
  assert (form_value (0%Q, []) = 0) as Z0 by (unfold form_value; cbn [fst snd total]; rewrite Q2R_0;
      lra).
  revert f; induction e; intros f H; cbn [lin ev] in *.
  - injection H as <-; unfold form_value; cbn; lra.
  - destruct (inverse_log_of b n) as [q|] eqn:E; injection H as <-; unfold form_value; cbn [fst snd
      total].
    + unfold inverse_log_of in E; destruct (_ && _) eqn:G; [|discriminate]; rewrite !andb_true_iff,
        !Z.ltb_lt, !Pos.eqb_eq in G.
      destruct G as (((D1 & D2) & B1) & N1); apply inverse_log_value in E; [|assumption..]; rewrite
          <- E.
      unfold Q2R at 1 2; rewrite D1, D2, Rinv_1, !Rmult_1_r; lra.
    + unfold term; cbn [fst snd]; rewrite Q2R_0, Q2R_1; lra.
  - destruct (lin e1), (lin e2); try discriminate; injection H as <-; rewrite sum_value, <- IHe1, <-
      IHe2 by reflexivity; reflexivity.
  - destruct (lin e1), (lin e2); try discriminate; injection H as <-; rewrite sum_value,
      times_value, <- IHe1, <- IHe2 by reflexivity.
    unfold Q2R; cbn; lra.
  - destruct (lin e1), (lin e2); try discriminate; rewrite (IHe1 _ eq_refl), (IHe2 _ eq_refl).
    destruct (rational f0) eqn:X; [injection H as <-; rewrite times_value, (rational_value _ _ X);
        reflexivity|].
    destruct (rational f1) eqn:Y; [injection H as <-; rewrite times_value, (rational_value _ _ Y);
        ring|discriminate].
  - destruct (lin e1), (lin e2); try discriminate; rewrite (IHe1 _ eq_refl), (IHe2 _ eq_refl); clear
      IHe1 IHe2.
    destruct (rational f1) eqn:Y.
    + assert ((if Qeq_bool q 0 then None else Some (times (/ q) f0)) = Some f) as H' by (destruct
        (rational f0); exact H); clear H.
      destruct (Qeq_bool q 0) eqn:Q0; [discriminate|]; injection H' as <-; apply Qneq_R in Q0;
          rewrite Q2R_0 in Q0.
      rewrite times_value, (rational_value _ _ Y), Q2R_inv; [unfold Rdiv; ring|intros E; apply
          Qeq_eqR in E; rewrite Q2R_0 in E; contradiction].
    + destruct (rational f0) eqn:X; [|discriminate]; destruct (Qeq_bool q 0) eqn:Q0;
        [|discriminate]; injection H as <-.
      rewrite (rational_value _ _ X), (Qeq_R _ _ Q0), Q2R_0, Z0; unfold Rdiv; ring.
  - destruct (lin e1), (lin e2); try discriminate; rewrite (IHe1 _ eq_refl), (IHe2 _ eq_refl); clear
      IHe1 IHe2; unfold quotient.
    destruct (rational f1) eqn:Y.
    + assert ((if Qle_bool q 0 then Some (0%Q, []) else Some (times (/ q) f0)) = Some f) as H' by
        (destruct (rational f0); exact H); clear H.
      rewrite (rational_value _ _ Y); destruct (Qle_bool q 0) eqn:Q0; injection H' as <-; [apply
          Qle_R in Q0|apply Qlt_R in Q0]; rewrite Q2R_0 in Q0;
        destruct (Rlt_dec _ _); try lra.
      rewrite times_value, Q2R_inv; [unfold Rdiv; ring|intros E; apply Qeq_eqR in E; rewrite Q2R_0
          in E; lra].
    + destruct (rational f0) eqn:X; [|discriminate]; destruct (Qeq_bool q 0) eqn:Q0;
        [|discriminate]; injection H as <-.
      rewrite (rational_value _ _ X), (Qeq_R _ _ Q0), Q2R_0, Z0; destruct (Rlt_dec _ _); unfold
          Rdiv; ring.
  - apply B in H; destruct H as (x & y & p & q & X & Y & P & Q & H); injection H as <-; rewrite
      (IHe1 _ X), (IHe2 _ Y), P, Q.
    unfold form_value; cbn [fst snd total]; destruct (Qle_bool p q) eqn:L; [apply Qle_R in L;
        rewrite Rmax_right; lra|apply Qlt_R in L; rewrite Rmax_left; lra].
  - apply B in H; destruct H as (x & y & p & q & X & Y & P & Q & H); rewrite (IHe1 _ X), (IHe2 _ Y),
      P, Q.
    destruct (Qle_bool q p) eqn:L; [apply Qle_R in L|apply Qlt_R in L]; destruct (Rlt_dec _ _); try
        lra; auto.
  - apply B in H; destruct H as (x & y & p & q & X & Y & P & Q & H); rewrite (IHe1 _ X), (IHe2 _ Y),
      P, Q.
    destruct (Qeq_bool p q) eqn:L; [apply Qeq_R in L|apply Qneq_R in L]; destruct (Req_EM_T _ _);
        try contradiction; auto.
  - discriminate.
  - discriminate.
Qed.

(** Two expressions with one value: their difference is 0, or they are quotients of such *)
Definition zero e := match lin e with Some f => match rational f with Some q => Qeq_bool q 0 | None
    => false end | None => false end.
Definition equal a b := if zero (Sub a b) then true else match a, b with
  | Quot x y, Quot x' y' => if zero (Sub x x') then zero (Sub y y') else false
  | _, _ => false end.
Lemma zero_value a b : zero (Sub a b) = true -> ev a = ev b.
Proof.
  unfold zero; destruct (lin (Sub a b)) as [f|] eqn:L; [|discriminate]; destruct (rational f) as
      [q|] eqn:R; [|discriminate].
  apply lin_value in L; apply rational_value in R; cbn [ev] in L; intros E; apply Qeq_R in E;
      rewrite Q2R_0 in E; lra.
Qed.
Lemma equal_value a b : equal a b = true -> ev a = ev b.
Proof.
  unfold equal; destruct (zero (Sub a b)) eqn:Z; [intros _; apply zero_value; assumption|].
  destruct a; try discriminate; destruct b; try discriminate; destruct (zero (Sub a1 b1)) eqn:X;
      [|discriminate]; intros Y.
  cbn [ev]; rewrite (zero_value _ _ X), (zero_value _ _ Y); reflexivity.
Qed.

(** c with a = c b *)
Definition ratio a b := match lin a, lin b with
  | Some f, Some g =>
      let c := match snd f, snd g with t :: _, u :: _ => Qred (snd t / snd u) | _, _ => Qred (fst f
          / fst g) end in
      match rational (sum_of f (times (- c) g)) with Some q => if Qeq_bool q 0 then Some c else None
          | None => None end
  | _, _ => None
  end.
Lemma ratio_value a b c : ratio a b = Some c -> ev a = Q2R c * ev b.
Proof.
  unfold ratio; destruct (lin a) as [f|] eqn:A; [|discriminate]; destruct (lin b) as [g|] eqn:B;
      [|discriminate]; cbn zeta.
  set (d := match snd f with [] => _ | _ => _ end); clearbody d; destruct (rational _) as [q|]
      eqn:R; [|discriminate].
  destruct (Qeq_bool q 0) eqn:E; [|discriminate]; intros [= <-]; apply rational_value in R; apply
      Qeq_R in E; rewrite Q2R_0 in E.
  rewrite sum_value, times_value, Q2R_opp in R; rewrite (lin_value _ _ A), (lin_value _ _ B); lra.
Qed.

(** Sums of products, letter by letter the same *)
Fixpoint same_ex a b := match a, b with
  | Num p, Num q => same p q | InvLog p n, InvLog q m => same p q && same n m
  | Add x y, Add u v | Mul x y, Mul u v => same_ex x u && same_ex y v
  | _, _ => false end.
Lemma same_ex_value a b : same_ex a b = true -> ev a = ev b.
Proof.
  revert b; induction a; intros []; try discriminate; cbn [same_ex ev]; rewrite ?andb_true_iff.
  - intros H; rewrite (same_eq _ _ H); reflexivity.
  - intros [H I]; rewrite (same_eq _ _ H), (same_eq _ _ I); reflexivity.
  - intros [H I]; rewrite (IHa1 _ H), (IHa2 _ I); reflexivity.
  - intros [H I]; rewrite (IHa1 _ H), (IHa2 _ I); reflexivity.
Qed.
Definition part a b := if same_ex a b then Some 1%Q else ratio a b.
Lemma part_value a b c : part a b = Some c -> ev a = Q2R c * ev b.
Proof.
  unfold part; destruct (same_ex a b) eqn:S; [intros [= <-]|apply ratio_value].
  rewrite (same_ex_value _ _ S), Q2R_1; ring.
Qed.

(** The same of a quotient, part by part: of b > 0, whose divisor is positive *)
Definition ratio_of a b := match ratio a b with Some c => Some c | None => match a, b with
  | Quot x y, Quot u v => match part x u, part y v with
      | Some c, Some d => if Qle_bool d 0 then None else Some (Qred (c / d))
      | _, _ => None end
  | _, _ => None end end.
Lemma ratio_of_value a b c : 0 < ev b -> ratio_of a b = Some c -> ev a = Q2R c * ev b.
Proof.
  unfold ratio_of; intros P; destruct (ratio a b) eqn:R; [intros [= <-]; apply ratio_value, R|].
  destruct a; try discriminate; destruct b as [| | | | | |u v| | | | |]; try discriminate.
  destruct (part a1 u) as [p|] eqn:A; [|discriminate]; destruct (part a2 v) as [d|] eqn:B;
    [|discriminate]; destruct (Qle_bool d 0) eqn:D; [discriminate|]; intros X.
  assert (Qred (p / d) = c) as <- by congruence; clear X.
  apply part_value in A, B; apply Qlt_R in D; rewrite Q2R_0 in D; cbn [ev] in *.
  unfold quotient in *; destruct (Rlt_dec 0 (ev v)) as [V|V]; [|lra].
  assert (0 < ev a2) by (rewrite B; apply Rmult_lt_0_compat; assumption).
  destruct (Rlt_dec 0 (ev a2)); [|contradiction]; rewrite A, B, Q2R_red, Q2R_div.
  - field; lra.
  - intros E; apply Qeq_eqR in E; rewrite Q2R_0 in E; lra.
Qed.

(** ** Enclosures *)

Section Enclosures.
(** The precision, and enclosures of ln 2, ln 3, ... that were computed before *)
Context (prec : F.precision) (logs : list I.type)
  (logs_enclose : forall n i, nth_error logs n = Some i -> contains (I.convert i) (Xreal (ln (INR (n
      + 2))))).
Definition of_q (q : Q) := if (Qden q =? 1)%positive then I.fromZ prec (Qnum q) else I.div prec
    (I.fromZ prec (Qnum q)) (I.fromZ prec (Zpos (Qden q))).
Definition ln_of (q : Q) :=
  let direct := fun _ : Datatypes.unit => I.ln prec (of_q q) in
  if (Qden q =? 1)%positive then if (2 <=? Qnum q)%Z then if (Qnum q <? 1000)%Z then
    match nth_error logs (Z.to_nat (Qnum q - 2)) with Some i => i | None => direct tt end else
        direct tt else direct tt else direct tt.
(** Which of a and b is less, by their enclosures; where these do not tell, by an exact difference
    *)
Definition compare a b ia ib := match I.sign_strict (I.sub prec ia ib) with
  | Xlt => Some Lt | Xgt => Some Gt | Xeq => Some Eq
  | Xund => if equal a b then Some Eq else match lin (Sub a b) with
      | Some f => match rational f with Some q => Some (Qcompare q 0) | None => None end
      | None => None end
  end.
Fixpoint iev e : I.type := match e with
  | Num q => of_q q
  | InvLog b n => I.div prec (ln_of b) (ln_of n)
  | Add a b => I.add prec (iev a) (iev b) | Sub a b => I.sub prec (iev a) (iev b)
  | Mul a b => I.mul prec (iev a) (iev b) | Div a b => I.div prec (iev a) (iev b)
  | Quot a b => let ib := iev b in match compare (Num 0) b (of_q 0) ib with
      | Some Lt => I.div prec (iev a) ib | Some _ => of_q 0 | None => I.nai end
  | Max a b => let ia := iev a in let ib := iev b in match compare a b ia ib with
      | Some Lt => ib | Some _ => ia | None => I.join ia ib end
  | IfLess a b c d => match compare a b (iev a) (iev b) with
      | Some Lt => iev c | Some _ => iev d | None => I.join (iev c) (iev d) end
  | IfEqual a b c d => match compare a b (iev a) (iev b) with
      | Some Eq => iev c | Some _ => iev d | None => I.join (iev c) (iev d) end
  | Sqrt a => I.sqrt prec (iev a) | Pow2 q => I.exp prec (I.mul prec (of_q q) (ln_of 2))
  end.

Notation encloses i x := (contains (I.convert i) (Xreal x)).
(** Where an operation of extended reals has no value, its enclosure holds everything. *)
Lemma from_nan i x : contains i Xnan -> contains i x.
Proof. destruct i; cbn; [trivial|contradiction]. Qed.
Lemma enclose_div i j x y : encloses i x -> encloses j y -> encloses (I.div prec i j) (x / y).
Proof.
  intros A B; pose proof (I.div_correct prec i j _ _ A B) as C; cbn in C; unfold Xdiv' in C;
      destruct (is_zero_spec y); [apply from_nan|]; assumption.
Qed.
Lemma of_q_encloses q : encloses (of_q q) (Q2R q).
Proof.
  unfold of_q, Q2R; destruct (Pos.eqb_spec (Qden q) 1) as [->|_]; [rewrite Rinv_1, Rmult_1_r; apply
      I.fromZ_correct|].
  apply enclose_div; apply I.fromZ_correct.
Qed.
Lemma enclose_ln i x : encloses i x -> encloses (I.ln prec i) (ln x).
Proof. intros A; pose proof (I.ln_correct prec i _ A) as C; cbn in C; unfold Xln' in C; destruct
    (is_positive x); [|apply from_nan]; assumption. Qed.
Lemma ln_of_encloses q : encloses (ln_of q) (ln (Q2R q)).
Proof.
  unfold ln_of; pose proof (enclose_ln _ _ (of_q_encloses q)) as D.
  destruct (Pos.eqb_spec (Qden q) 1) as [E|]; [|exact D]; destruct (Z.leb_spec 2 (Qnum q)) as [L|];
      [|exact D].
  destruct (_ <? _)%Z; [|exact D]; destruct (nth_error _ _) as [i|] eqn:N; [|exact D].
  apply logs_enclose in N; replace (Q2R q) with (INR (Z.to_nat (Qnum q - 2) + 2)); [exact N|].
  unfold Q2R; rewrite E, Rinv_1, Rmult_1_r, INR_IZR_INZ; f_equal; lia.
Qed.
Lemma compare_value a b ia ib c : encloses ia (ev a) -> encloses ib (ev b) -> compare a b ia ib =
    Some c ->
  match c with Lt => ev a < ev b | Eq => ev a = ev b | Gt => ev b < ev a end.
Proof.
  intros A B; unfold compare; pose proof (I.sub_correct prec ia ib _ _ A B) as C; cbn in C.
  pose proof (I.sign_strict_correct (I.sub prec ia ib)) as S; destruct (I.sign_strict _).
  - intros [= <-]; specialize (S _ C); injection S as S; lra.
  - intros [= <-]; destruct (S _ C) as [_ S']; cbn in S'; lra.
  - intros [= <-]; destruct (S _ C) as [_ S']; cbn in S'; lra.
  - destruct (equal a b) eqn:Q; [intros [= <-]; apply equal_value; assumption|].
    destruct (lin (Sub a b)) as [f|] eqn:L; [|discriminate]; destruct (rational f) as [q|] eqn:R;
        [|discriminate].
    apply lin_value in L; apply rational_value in R; rewrite R in L; cbn [ev] in L; intros [= <-].
    destruct (Qcompare_spec q 0) as [H|H|H]; [apply Qeq_eqR in H|apply Qlt_Rlt in H|apply Qlt_Rlt in
        H]; rewrite Q2R_0 in H; lra.
Qed.
Lemma iev_encloses e : encloses (iev e) (ev e).
Proof.
  induction e; cbn [iev ev].
  - apply of_q_encloses.
  - replace (1 / log (Q2R b) (Q2R n)) with (ln (Q2R b) / ln (Q2R n)).
    + apply enclose_div; apply ln_of_encloses.
    + unfold log, Rdiv; rewrite Rinv_mult, Rinv_inv; ring.
  - exact (I.add_correct prec _ _ _ _ IHe1 IHe2).
  - exact (I.sub_correct prec _ _ _ _ IHe1 IHe2).
  - exact (I.mul_correct prec _ _ _ _ IHe1 IHe2).
  - apply enclose_div; assumption.
  - cbn zeta; destruct (compare _ _ _ _) as [c|] eqn:C; [|rewrite I.nai_correct; exact Logic.I].
    apply compare_value in C; [|apply of_q_encloses|assumption]; cbn [ev] in C; rewrite Q2R_0 in C;
        unfold quotient.
    destruct c, (Rlt_dec 0 (ev e2)); try lra; try (rewrite <- Q2R_0; apply of_q_encloses); apply
        enclose_div; assumption.
  - cbn zeta; destruct (compare _ _ _ _) as [c|] eqn:C.
    + apply compare_value in C; [|assumption..]; destruct c; [rewrite Rmax_left by lra|rewrite
        Rmax_right by lra|rewrite Rmax_left by lra]; assumption.
    + apply I.join_correct; destruct (Rle_lt_dec (ev e1) (ev e2)); [right; rewrite Rmax_right by
        lra|left; rewrite Rmax_left by lra]; assumption.
  - destruct (compare _ _ _ _) as [c|] eqn:C.
    + apply compare_value in C; [|assumption..]; destruct c, (Rlt_dec (ev e1) (ev e2)); try lra;
        assumption.
    + apply I.join_correct; destruct (Rlt_dec _ _); auto.
  - destruct (compare _ _ _ _) as [c|] eqn:C.
    + apply compare_value in C; [|assumption..]; destruct c, (Req_EM_T (ev e1) (ev e2)); try lra;
        assumption.
    + apply I.join_correct; destruct (Req_EM_T _ _); auto.
  - exact (I.sqrt_correct prec _ _ IHe).
  - apply (I.exp_correct prec _ (Xreal _)), (I.mul_correct prec _ _ (Xreal _) (Xreal _));
      [apply of_q_encloses|].
    replace 2 with (Q2R 2) by (unfold Q2R; cbn; lra); apply ln_of_encloses.
Qed.

(** ** The decision *)

Definition less_z (n : Z) i := match I.sign_strict (I.sub prec i (I.fromZ prec n)) with Xgt => true
    | _ => false end.
Definition z_less i (n : Z) := match I.sign_strict (I.sub prec i (I.fromZ prec n)) with Xlt => true
    | _ => false end.
(** The same value without the cases that do not apply *)
Fixpoint branch e := match e with
  | IfLess a b c d => match compare a b (iev a) (iev b) with Some Lt => branch c | Some _ => branch
      d | None => e end
  | IfEqual a b c d => match compare a b (iev a) (iev b) with Some Eq => branch c | Some _ => branch
      d | None => e end
  | Div (Sub a b) c => if equal a b then Num 0 else e
  | Max a b => match compare a b (iev a) (iev b) with Some Lt => branch b | Some _ => branch a |
      None => e end
  | Quot a b => match compare (Num 0) b (of_q 0) (iev b) with
      | Some Lt => match ratio_of (branch a) (branch b) with Some c => Num c | None => e end
      | _ => e end
  | _ => e
  end.
Definition exactly e := match lin (branch e) with Some f => rational f | None => None end.
Lemma branch_value e : ev (branch e) = ev e.
Proof.
  induction e; try reflexivity; cbn [branch].
  - destruct e1; try reflexivity; destruct (equal _ _) eqn:E; [|reflexivity]; apply equal_value in
      E; cbn [ev]; rewrite E, Q2R_0; unfold Rdiv; ring.
  - destruct (compare _ _ _ _) as [[]|] eqn:C; try reflexivity.
    destruct (ratio_of _ _) as [c|] eqn:E; [|reflexivity].
    apply compare_value in C; [|apply of_q_encloses|apply iev_encloses]; cbn [ev] in *; rewrite
        Q2R_0 in C.
    apply ratio_of_value in E; rewrite IHe2 in *; [|assumption].
    rewrite <- IHe1, E; unfold quotient.
    destruct (Rlt_dec _ _); [field|]; lra.
  - destruct (compare _ _ _ _) as [c|] eqn:C; [|reflexivity]; apply compare_value in C; [|apply
      iev_encloses..]; cbn [ev].
    destruct c; [rewrite Rmax_left by lra|rewrite Rmax_right by lra|rewrite Rmax_left by lra];
        assumption.
  - destruct (compare _ _ _ _) as [c|] eqn:C; [|reflexivity]; apply compare_value in C; [|apply
      iev_encloses..]; cbn [ev].
    destruct c, (Rlt_dec (ev e1) (ev e2)); try lra; assumption.
  - destruct (compare _ _ _ _) as [c|] eqn:C; [|reflexivity]; apply compare_value in C; [|apply
      iev_encloses..]; cbn [ev].
    destruct c, (Req_EM_T (ev e1) (ev e2)); try lra; assumption.
Qed.
(** The second condition is computed only where the first does not hold. *)
Notation "a 'orelse' b" := (if a then true else b) (at level 55, right associativity).
Notation "a 'and' b" := (if a then b else false) (at level 54, right associativity).
Definition decide e (b : Z) :=
  let s := (sign b * 2 ^ 1076)%Z in let i := I.mul prec (I.fromZ prec s) (iev e) in
  if (exponent b =? 2047)%Z then (fraction b =? 0)%Z and (
    less_z (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074) i
    orelse match exactly e with Some q => Qle_bool (inject_Z (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074))
        (inject_Z s * q) | None => false end)
  else (if (number b =? 0)%Z then (b =? 0)%Z else true) and (
    (less_z (low b) i and z_less i (high b))
    orelse match exactly e with
    | Some q => let x := (inject_Z s * q)%Q in
        (negb (Qle_bool x (inject_Z (low b))) && negb (Qle_bool (inject_Z (high b)) x))
        || Z.even b && Qle_bool (inject_Z (low b)) x && Qle_bool x (inject_Z (high b))
    | None => false end).

(** A value that is certainly elsewhere: more digits would not help. *)
Definition elsewhere e (b : Z) :=
  let i := I.mul prec (I.fromZ prec (sign b * 2 ^ 1076)) (iev e) in
  less_z (high b) i orelse z_less i (low b).

Lemma or_else (a b : bool) : a orelse b = true -> a = true \/ b = true.
Proof. destruct a; auto. Qed.
Lemma and_then (a b : bool) : a and b = true -> a = true /\ b = true.
Proof. destruct a; [auto|discriminate]. Qed.
Lemma less_z_value n i x : encloses i x -> less_z n i = true -> IZR n < x.
Proof.
  intros C; unfold less_z; pose proof (I.sub_correct prec _ _ _ _ C (I.fromZ_correct prec n)) as D;
      cbn in D.
  pose proof (I.sign_strict_correct (I.sub prec i (I.fromZ prec n))) as X.
  destruct (I.sign_strict _); try discriminate; intros _; destruct (X _ D) as [_ X']; cbn in X';
      lra.
Qed.
Lemma z_less_value n i x : encloses i x -> z_less i n = true -> x < IZR n.
Proof.
  intros C; unfold z_less; pose proof (I.sub_correct prec _ _ _ _ C (I.fromZ_correct prec n)) as D;
      cbn in D.
  pose proof (I.sign_strict_correct (I.sub prec i (I.fromZ prec n))) as X.
  destruct (I.sign_strict _); try discriminate; intros _; destruct (X _ D) as [_ X']; cbn in X';
      lra.
Qed.

Lemma decide_sound e b : decide e b = true -> nearest_double (ev e) b.
Proof.
  unfold decide; cbn zeta; remember (sign b * 2 ^ 1076)%Z as s eqn:Es; assert (scaled (ev e) b = IZR
      s * ev e) as S by (rewrite Es; reflexivity); clear Es.
  assert (encloses (I.mul prec (I.fromZ prec s) (iev e)) (IZR s * ev e)) as C
    by (apply (I.mul_correct prec _ _ (Xreal _) (Xreal _)); [apply I.fromZ_correct|apply
        iev_encloses]).
  assert (forall n, less_z n (I.mul prec (I.fromZ prec s) (iev e)) = true -> IZR n < IZR s * ev e)
      as L by (intros n; apply less_z_value; exact C).
  assert (forall n, z_less (I.mul prec (I.fromZ prec s) (iev e)) n = true -> IZR s * ev e < IZR n)
      as H by (intros n; apply z_less_value; exact C).
  assert (forall n, Q2R (inject_Z n) = IZR n) as Q by (intro; unfold Q2R, inject_Z; cbn; lra).
  assert (forall q, exactly e = Some q -> Q2R (inject_Z s * q) = IZR s * ev e) as E.
  { intros q; unfold exactly; destruct (lin (branch e)) eqn:LE; [|discriminate]; intros R; rewrite
      Q2R_mult, Q; f_equal.
    symmetry; rewrite <- branch_value, (lin_value _ _ LE); apply rational_value; assumption. }
  destruct (Z.eqb_spec (exponent b) 2047) as [X|X]; intros D.
  - remember (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074)%Z as B eqn:EB.
    assert (fraction b = 0%Z /\ IZR B <= scaled (ev e) b) as [F G].
    { rewrite S; apply and_then in D; destruct D as [F D]; apply Z.eqb_eq in F; split;
        [assumption|]; apply or_else in D; destruct D as [D|D].
      - apply L in D; lra.
      - destruct (exactly e) as [q|]; [|discriminate]; apply Qle_R in D; rewrite (E q eq_refl), Q in
          D; assumption. }
    apply nearest_infinite; [assumption..|]; clear - G EB; unfold scaled in G; unfold beyond.
    replace (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074)%Z with (2 ^ 1076 * (2 ^ 1024 - 2 ^ 970))%Z in EB
        by reflexivity; rewrite EB in G; clear EB.
    rewrite !mult_IZR in G; assert (0 < IZR (2 ^ 1076)) as P by (apply IZR_lt; reflexivity).
    revert P G; generalize (IZR (2 ^ 1076)), (IZR (2 ^ 1024 - 2 ^ 970)); intros T K P G.
    unfold sign in G; destruct (negative b); nra.
  - apply and_then in D; destruct D as [Z D]; apply nearest_between; [assumption| |rewrite S].
    { intros N; rewrite N in Z; cbn in Z; apply Z.eqb_eq; assumption. }
    apply or_else in D; destruct D as [D|D].
    + apply and_then in D; destruct D as [D1 D2]; left; auto.
    + destruct (exactly e) as [q|]; [|discriminate]; cbn zeta in D; rewrite orb_true_iff,
        !andb_true_iff, !negb_true_iff in D.
      destruct D as [[D1 D2]|[[V D1] D2]]; [left; apply Qlt_R in D1, D2|right; apply Qle_R in D1,
          D2]; rewrite (E q eq_refl), Q in D1, D2; auto.
Qed.

End Enclosures.

(** * The expression of a measure *)

(** ** Gains and discounts *)

Definition gains_q L : list Q := match L with
  | Linear l => l
  | Exp2 l => map (fun n => inject_Z (2 ^ Z.of_N n - 1)) l
  | Table w l => map (fun n => nth n w 0%Q) l
  end.
Lemma Q2R_Z n : Q2R (inject_Z n) = IZR n.
Proof. unfold Q2R, inject_Z; cbn; lra. Qed.
Lemma gains_value L : reals (gains_q L) = gains L.
Proof.
  destruct L as [l|l|w l]; cbn [gains_q gains]; rewrite ?map_map; apply map_ext; intro x.
  - reflexivity.
  - rewrite Q2R_Z, minus_IZR; unfold exp2; f_equal; rewrite <- (N2Z.id x), !Z_of_N_of_Z || idtac.
    rewrite <- (Z2Nat.id (Z.of_N x)) by lia; rewrite <- INR_IZR_INZ, Rpower_pow by lra; rewrite
        pow_IZR; reflexivity.
  - unfold table; rewrite <- Q2R_0; symmetry; apply map_nth.
Qed.

Definition rank i : Q := inject_Z (Z.of_nat i).
Lemma rank_value i : Q2R (rank i) = INR i.
Proof. unfold rank; rewrite Q2R_Z, <- INR_IZR_INZ; reflexivity. Qed.
Definition discount_x D (i : nat) : ex := match D with
  | Log b => InvLog b (rank (S i))
  | Jarvelin2008 b => InvLog b (Qred (b * rank i))
  | Jarvelin2002 b => if Qle_bool b (rank i) then InvLog b (rank i) else Num 1
  | Zipf => Num (/ rank i)
  | Weights w => Num (nth (i - 1) w 0%Q)
  | NoDiscount => Num 1
  | Jiang2016 b => InvLog b (Qred (rank i + b - 1))
  end.
Definition proper D := match D with Log b | Jarvelin2008 b | Jarvelin2002 b | Jiang2016 b => negb
    (Qle_bool b 1) | _ => true end.
Definition is (dx : nat -> ex) (d : nat -> R) := forall i, (1 <= i)%nat -> ev (dx i) = d i.

Lemma proper_base b : negb (Qle_bool b 1) = true -> 1 < Q2R b.
Proof. intros H; apply negb_true_iff, Qlt_R in H; rewrite Q2R_1 in H; assumption. Qed.
Lemma discount_value D : proper D = true -> is (discount_x D) (discount_at D).
Proof.
  intros P i H; destruct D; cbn [discount_x discount_at proper] in *; try apply proper_base in P;
      cbn [ev].
  - rewrite rank_value, S_INR; reflexivity.
  - rewrite DISC_2_L2, Q2R_red, Q2R_mult, rank_value by assumption; reflexivity.
  - unfold d_jarvelin_2002; destruct (Qle_bool b (rank i)) eqn:E; [apply Qle_R in E|apply Qlt_R in
      E]; rewrite rank_value in E;
      destruct (Rlt_dec _ _); try lra; cbn [ev]; [rewrite rank_value; reflexivity|apply Q2R_1].
  - unfold d_zipf; rewrite Q2R_inv, rank_value; [unfold Rdiv; ring|].
    intros E; apply Qeq_eqR in E; rewrite rank_value, Q2R_0 in E; pose proof (rank_ge_1 i H); lra.
  - unfold d_weights; rewrite <- Q2R_0; symmetry; apply map_nth.
  - apply Q2R_1.
  - rewrite Q2R_red, Q2R_minus, Q2R_plus, rank_value, Q2R_1; reflexivity.
Qed.

(** ** Cumulated gain *)

Fixpoint x_sum (dx : nat -> ex) s n := match n with O => Num 0 | S m => Add (dx (S s)) (x_sum dx (S
    s) m) end.
Fixpoint x_whole (dx : nat -> ex) s (l : list Q) := match l with
  | [] => Num 0
  | g :: l' => if Qeq_bool g 0 then x_whole dx (S s) l' else Add (Mul (Num g) (dx (S s))) (x_whole
      dx (S s) l')
  end.
Definition x_dcg k dx l := x_whole dx 0 (firstn k l).
Definition x_S (wx dx : nat -> ex) n := x_sum (fun i => Mul (wx i) (dx i)) 0 n.

Lemma ev_sum dx d s n : is dx d -> ev (x_sum dx s n) = sum_to (shift s d) n.
Proof.
  intros D; revert s; induction n as [|n IH]; intro s; [apply Q2R_0|]; rewrite sum_to_first; cbn
      [x_sum ev]; rewrite D, IH by lia.
  unfold shift at 2; rewrite Nat.add_1_r; f_equal; apply sum_to_ext; intros; unfold shift; f_equal;
      lia.
Qed.
Lemma ev_sum_0 dx d n : is dx d -> ev (x_sum dx 0 n) = sum_to d n.
Proof. intros D; rewrite (ev_sum dx d) by assumption; apply sum_to_ext; intros; reflexivity. Qed.
Lemma ev_whole dx d s l : is dx d -> ev (x_whole dx s l) = whole (shift s d) (reals l).
Proof.
  intros D; revert s; induction l as [|g l IH]; intro s; [apply Q2R_0|]; cbn [x_whole map]; rewrite
      whole_cons.
  assert (whole (shift 1 (shift s d)) (reals l) = ev (x_whole dx (S s) l)) as ->.
  { rewrite IH; apply whole_ext; intros; unfold shift; f_equal; lia. }
  unfold shift; rewrite Nat.add_1_r; destruct (Qeq_bool g 0) eqn:E; cbn [ev]; [rewrite (Qeq_R _ _
      E), Q2R_0; lra|rewrite D by lia; reflexivity].
Qed.
Lemma ev_dcg k dx d l : is dx d -> ev (x_dcg k dx l) = dcg k d (reals l).
Proof. intros D; unfold x_dcg; rewrite (ev_whole dx d) by assumption; rewrite dcg_firstn,
    firstn_map; apply whole_ext; reflexivity. Qed.
Lemma ev_S wx w dx d n : is wx w -> is dx d -> ev (x_S wx dx n) = Length.S_of w d n.
Proof. intros W D; apply ev_sum_0; intros i H; cbn [ev]; rewrite W, D by assumption; reflexivity.
    Qed.
Lemma is_none : is (fun _ => Num 1) d_none.
Proof. intros i _; apply Q2R_1. Qed.

Lemma q_put_value x l : reals (q_put x l) = put (Q2R x) (reals l).
Proof.
  induction l as [|y l IH]; cbn; [reflexivity|]; destruct (Qle_bool y x) eqn:E, (Rle_dec (Q2R y)
      (Q2R x)) as [H|H]; cbn; auto.
  - apply Qle_R in E; contradiction.
  - apply Qlt_R in E; lra.
  - rewrite IH; reflexivity.
Qed.
Lemma q_best_value l : reals (q_best l) = best (reals l).
Proof. induction l; cbn; [reflexivity|]; rewrite q_put_value, IHl; reflexivity. Qed.
Lemma ev_idcg k dx d J : is dx d -> ev (x_dcg k dx (q_best J)) = idcg k d (reals J).
Proof. intros D; rewrite (ev_dcg k dx d), q_best_value by assumption; reflexivity. Qed.

Definition q_mean (t : list Q) : Q := match t with [] => 0%Q | _ => Qred (fold_right Qplus 0%Q t /
    rank (length t)) end.
Lemma q_mean_value t : Q2R (q_mean t) = sum (reals t) / INR (length (reals t)).
Proof.
  rewrite map_length; destruct t as [|x t]; [cbn; rewrite Q2R_0; unfold sum; cbn; lra|].
  unfold q_mean; rewrite Q2R_red, Q2R_div, rank_value; [f_equal|].
  - unfold sum; rewrite total_map; generalize (x :: t) as l; induction l; cbn; [apply Q2R_0|rewrite
      Q2R_plus, IHl; reflexivity].
  - intros E; apply Qeq_eqR in E; rewrite rank_value, Q2R_0 in E; cbn [length] in E; rewrite S_INR
      in E; pose proof (pos_INR (length t)); lra.
Qed.
Fixpoint x_expected k dx s (T : list (list Q)) := match T with
  | [] => Num 0
  | t :: T' => Add (Mul (Num (q_mean t)) (x_sum dx s (Nat.min (length t) (k - s)%nat))) (x_expected
      k dx (s + length t)%nat T')
  end.
Lemma ev_expected k dx d s T : is dx d -> ev (x_expected k dx s T) = expected_dcg k d s (map (map
    Q2R) T).
Proof.
  intros D; revert s; induction T as [|t T IH]; intro s; [apply Q2R_0|]; cbn [x_expected map
      expected_dcg ev].
  rewrite IH, q_mean_value, (ev_sum dx d), map_length by assumption; reflexivity.
Qed.

(** The greatest of n expressions, and 0 *)
Fixpoint x_max (f : nat -> ex) n := match n with O => Num 0 | S m => Max (x_max f m) (f (S m)) end.
Lemma ev_max f g n : (forall i, (1 <= i)%nat -> ev (f i) = g i) -> ev (x_max f n) = Length.max_to g
    n.
Proof. intros H; induction n; [apply Q2R_0|]; cbn [x_max ev Length.max_to]; rewrite IHn, H by lia;
    reflexivity. Qed.

Definition x_Z k wx := Quot (Num 1) (x_sum wx 0 k).
Lemma ev_Z k wx w : is wx w -> ev (x_Z k wx) = Length.Z k 1 w.
Proof. intros W; unfold x_Z, Length.Z; cbn [ev]; rewrite (ev_sum_0 wx w), exp2_1, Q2R_1 by
    assumption; reflexivity. Qed.
Definition x_ildcg z k dx wx J := x_max (fun N => Quot (x_dcg N dx (q_best J)) (Mul z (x_S wx dx
    N))) (Nat.min k (length J)).
Lemma ev_ildcg zx z k dx d wx w J : ev zx = z -> is dx d -> is wx w -> ev (x_ildcg zx k dx wx J) =
    Length.ildcg z k d w (reals J).
Proof.
  intros Z D W; unfold x_ildcg, Length.ildcg; rewrite map_length; apply ev_max; intros i I; cbn
      [ev].
  rewrite (ev_idcg i dx d), (ev_S wx w dx d), Z by assumption; reflexivity.
Qed.

(** ** Metrics *)

Definition proper_metric m := match m with
  | CG _ | NCG _ _ => true
  | DCG _ D | NDCG _ D _ | NDCG_all _ D _ | NDCG_shown _ D _ | NDCG_perfect _ D => proper D
  | LDCG _ D W | LDCG_Z _ D W | LNDCG _ D W _ => proper D && proper W
  end.
(** With the DCG of the list, or its expectation over ties: a function of it and of the length *)
Definition x_of (m : metric) (dcg_of : nat -> (nat -> ex) -> ex) (n : nat) : ex := match m with
  | CG k => dcg_of k (fun _ => Num 1)
  | DCG k D => dcg_of k (discount_x D)
  | NDCG k D J => Quot (dcg_of k (discount_x D)) (x_dcg k (discount_x D) (q_best (gains_q J)))
  | NDCG_all k D J => Quot (dcg_of k (discount_x D)) (x_dcg (length (gains_q J)) (discount_x D)
      (q_best (gains_q J)))
  | NDCG_shown k D J => Quot (dcg_of k (discount_x D)) (x_dcg (Nat.min k n) (discount_x D) (q_best
      (gains_q J)))
  | NDCG_perfect k D => Quot (dcg_of k (discount_x D)) (x_sum (discount_x D) 0 k)
  | NCG k J => Quot (dcg_of k (fun _ => Num 1)) (x_dcg k (fun _ => Num 1) (q_best (gains_q J)))
  | LDCG k D W => Quot (dcg_of k (discount_x D)) (Mul (Num 1) (x_S (discount_x W) (discount_x D)
      (Nat.min n k)))
  | LDCG_Z k D W => Quot (dcg_of k (discount_x D)) (Mul (x_Z k (discount_x W)) (x_S (discount_x W)
      (discount_x D) (Nat.min n k)))
  | LNDCG k D W J => Quot (Quot (dcg_of k (discount_x D)) (Mul (Num 1) (x_S (discount_x W)
      (discount_x D) (Nat.min n k))))
      (x_ildcg (Num 1) k (discount_x D) (discount_x W) (gains_q J))
  end.
Definition x_metric m (l : list Q) := x_of m (fun k dx => x_dcg k dx l) (length l).
Definition x_tied m (T : list (list Q)) := x_of m (fun k dx => x_expected k dx 0 T) (length (concat
    T)).

Ltac evs := repeat first
  [ rewrite (ev_dcg _ _ d_none) by apply is_none
  | rewrite (ev_idcg _ _ d_none) by apply is_none
  | rewrite (ev_expected _ _ d_none) by apply is_none
  | match goal with H : proper ?D = true |- _ => first
    [ rewrite (ev_idcg _ _ _ _ (discount_value D H)) | rewrite (ev_dcg _ _ _ _ (discount_value D H))
    | rewrite (ev_expected _ _ _ _ _ (discount_value D H)) | rewrite (ev_Z _ _ _ (discount_value D
        H))
    | rewrite (ev_sum_0 _ _ _ (discount_value D H)) ] end
  | match goal with H : proper ?D = true, G : proper ?W = true |- _ => first
    [ rewrite (ev_ildcg (Num 1) 1 _ _ _ _ _ _ Q2R_1 (discount_value D H) (discount_value W G))
    | rewrite (ev_S _ _ _ _ _ (discount_value W G) (discount_value D H)) ] end ].

Lemma metric_value m l : proper_metric m = true -> ev (x_metric m l) = metric_of m (reals l).
Proof.
  intros P; destruct m; cbn [proper_metric] in P; try (apply andb_prop in P; destruct P as [P P']);
      unfold x_metric; cbn [x_of metric_of ev]; evs;
    rewrite ?gains_value, ?map_length, ?Q2R_1; try reflexivity.
  - symmetry; apply cg_is_dcg.
  - unfold ndcg_all, ndcg_by; rewrite <- gains_value, map_length; reflexivity.
  - unfold ndcg_shown, ndcg_by; rewrite map_length; reflexivity.
  - unfold ncg; rewrite !cg_is_dcg, q_best_value, gains_value; reflexivity.
  - unfold Length.ldcg; rewrite map_length; reflexivity.
  - unfold Length.ldcg; rewrite map_length; reflexivity.
  - unfold Length.lndcg, Length.ldcg; rewrite map_length; reflexivity.
Qed.

Lemma reals_concat T : concat (map (map Q2R) T) = reals (concat T).
Proof. symmetry; apply concat_map. Qed.
Lemma tied_value m T : proper_metric m = true -> ev (x_tied m T) = expectation (metric_of m) (map
    (map Q2R) T).
Proof.
  intros P; destruct m; cbn [proper_metric] in P; try (apply andb_prop in P; destruct P as [P P']);
      unfold x_tied; cbn [x_of metric_of ev]; evs;
    rewrite ?gains_value, ?Q2R_1.
  - rewrite (expectation_ext (cg k) (dcg k d_none)), EXP_2_L1 by (intros; apply cg_is_dcg);
      reflexivity.
  - rewrite EXP_2_L1; reflexivity.
  - symmetry; apply EXP_3_L1.
  - rewrite <- gains_value, <- (map_length Q2R), gains_value; symmetry; apply EXP_3_L1.
  - rewrite (expectation_ext _ (fun p => ndcg_by (Nat.min k (length (concat T))) k (discount_at D) p
      (gains J))); [symmetry; apply EXP_3_L1|].
    intros p I; apply tied_orders_are, Permutation_length in I; rewrite reals_concat, map_length in
        I; unfold ndcg_shown; rewrite <- I; reflexivity.
  - rewrite <- EXP_2_L1; symmetry; apply mean_quotient.
  - rewrite q_best_value, gains_value; symmetry; rewrite EXP_80_L1; unfold expected_ncg; rewrite
      cg_is_dcg; reflexivity.
  - rewrite Length.EXP_11_L1; unfold Length.expected_ldcg; rewrite reals_concat, map_length;
      reflexivity.
  - rewrite Length.EXP_11_L1; unfold Length.expected_ldcg; rewrite reals_concat, map_length;
      reflexivity.
  - rewrite Length.EXP_12_L1; unfold Length.expected_lndcg, Length.expected_ldcg; rewrite
      reals_concat, map_length; reflexivity.
Qed.

(** ** Rankings *)

Lemma join_map {A B} (f : A -> B) s x T :
  map (fun p => (fst p, map f (snd p))) (join s x T) = join s (f x) (map (fun p => (fst p, map f
      (snd p))) T).
Proof.
  induction T as [|[s' t] T IH]; [reflexivity|]; cbn [join map fst snd]; destruct (Qeq_bool s s');
      [reflexivity|].
  destruct (Qle_bool s' s); [reflexivity|]; cbn [map fst snd]; rewrite IH; reflexivity.
Qed.
Lemma tied_map {A B} (f : A -> B) scores l : tied scores (map f l) = map (map f) (tied scores l).
Proof.
  unfold tied; assert (scored scores (map f l) = map (fun p => (fst p, map f (snd p))) (scored
      scores l)) as ->.
  { revert l; induction scores as [|s S IH]; intros [|x l]; cbn [scored map]; [reflexivity..|];
      rewrite IH, join_map; reflexivity. }
  rewrite !map_map; reflexivity.
Qed.
Definition x_value m ranking := match ranking with
  | Ranked r => x_metric m (gains_q r)
  | Scored Expected scores r => x_tied m (tied scores (gains_q r))
  | Scored AsInput scores r => x_metric m (concat (tied scores (gains_q r)))
  | Scored BestFirst scores r => x_metric m (concat (map q_best (tied scores (gains_q r))))
  | Scored WorstFirst scores r => x_metric m (concat (map (fun t => rev (q_best t)) (tied scores
      (gains_q r))))
  end.
Lemma q_worst_value t : reals (rev (q_best t)) = worst (reals t).
Proof. unfold worst; rewrite map_rev, q_best_value; reflexivity. Qed.
Lemma x_value_of m r : proper_metric m = true -> ev (x_value m r) = value_of m r.
Proof.
  intros P; destruct r as [r|[] scores r]; cbn [x_value value_of]; rewrite <- gains_value,
      ?tied_map.
  - apply metric_value; assumption.
  - apply tied_value; assumption.
  - rewrite metric_value, reals_concat by assumption; reflexivity.
  - rewrite metric_value, <- reals_concat, !map_map by assumption; do 2 f_equal; apply map_ext;
      intro; apply q_best_value.
  - rewrite metric_value, <- reals_concat, !map_map by assumption; do 2 f_equal; apply map_ext;
      intro; apply q_worst_value.
Qed.

(** ** Bounds and sessions *)

Definition x_ideal m J := match m with
  | LDCG k D W => x_ildcg (Num 1) k (discount_x D) (discount_x W) J
  | LDCG_Z k D W => x_ildcg (x_Z k (discount_x W)) k (discount_x D) (discount_x W) J
  | LNDCG k D W P => Quot (x_ildcg (Num 1) k (discount_x D) (discount_x W) J) (x_ildcg (Num 1) k
      (discount_x D) (discount_x W) (gains_q P))
  | _ => x_metric m (q_best J)
  end.
Lemma x_ideal_value m J : proper_metric m = true -> ev (x_ideal m (gains_q J)) = ideal_bound m
    (gains J).
Proof.
  intros P; rewrite <- gains_value; destruct m; cbn [x_ideal ideal_bound];
    try (rewrite (metric_value _ _ P), q_best_value; reflexivity);
    cbn [proper_metric] in P; apply andb_prop in P; destruct P as [P P']; cbn [ev]; rewrite <-
        ?gains_value;
    rewrite ?(ev_ildcg (Num 1) 1 _ _ _ _ _ _ Q2R_1 (discount_value _ P) (discount_value _ P')); try
        reflexivity.
  apply ev_ildcg; [apply ev_Z|..]; apply discount_value; assumption.
Qed.
Lemma x_rlb_value m J : proper_metric m = true -> ev (x_tied m [gains_q J]) = rlb (metric_of m)
    (gains J).
Proof. intros P; rewrite tied_value by assumption; cbn [map]; rewrite gains_value; reflexivity. Qed.
Lemma x_wlb_value m J : proper_metric m = true -> ev (x_metric m (rev (q_best (gains_q J)))) = wlb
    (metric_of m) (gains J).
Proof. intros P; rewrite metric_value, q_worst_value, gains_value by assumption; reflexivity. Qed.

Definition x_UL1 A I L := IfLess (Num 0) I (IfLess (Num 0) A (Mul (Div A I) (Div A (Add A L))) (Num
    0)) (Num 0).
Definition x_UL2 A I L := IfLess A L (Div (Sub A L) L) (IfEqual L I (Num 0) (Div (Sub A L) (Sub I
    L))).
Definition x_MinMax A I L := IfEqual I L (Num 0) (Div (Sub A L) (Sub I L)).
Lemma ev_UL1 A I L : ev (x_UL1 A I L) = Bounds.UL1 (ev A) (ev I) (ev L).
Proof. cbn [x_UL1 ev]; unfold x_UL1, Bounds.UL1; cbn [ev]; rewrite !Q2R_0; reflexivity. Qed.
Lemma ev_UL2 A I L : ev (x_UL2 A I L) = Bounds.UL2 (ev A) (ev I) (ev L).
Proof. unfold x_UL2, Bounds.UL2; cbn [ev]; rewrite !Q2R_0; reflexivity. Qed.
Lemma ev_MinMax A I L : ev (x_MinMax A I L) = Bounds.MinMax (ev A) (ev I) (ev L).
Proof. unfold x_MinMax, Bounds.MinMax; cbn [ev]; rewrite !Q2R_0; reflexivity. Qed.

Definition x_rlb_eq7 k D J := Mul (Num (q_mean (gains_q J))) (x_sum (discount_x D) 0 k).
Lemma ev_rlb_eq7 k D J : proper D = true -> ev (x_rlb_eq7 k D J) = rlb_eq7 k (discount_at D) (gains
    J).
Proof.
  intros P; unfold x_rlb_eq7, rlb_eq7; cbn [ev]; rewrite q_mean_value, gains_value, (ev_sum_0 _ _ _
      (discount_value D P)); reflexivity.
Qed.
Definition x_idcg k D J := x_dcg k (discount_x D) (q_best (gains_q J)).
Lemma x_idcg_value k D J : proper D = true -> ev (x_idcg k D J) = idcg k (discount_at D) (gains J).
Proof. intros P; unfold x_idcg; rewrite (ev_idcg _ _ _ _ (discount_value D P)), gains_value;
    reflexivity. Qed.

Fixpoint x_sdcg k dx qx q (s : list (list Q)) := match s with
  | [] => Num 0
  | r :: s' => Add (Mul (qx (S q)) (x_dcg k dx r)) (x_sdcg k dx qx (S q) s')
  end.
Lemma ev_sdcg k dx d qx D s : is dx d -> is qx D -> ev (x_sdcg k dx qx 0 s) = sdcg k d D (map (map
    Q2R) s).
Proof.
  intros H H'; unfold sdcg.
  assert (forall q, ev (x_sdcg k dx qx q s) = sum_to (fun i => D (q + i)%nat * dcg k d (query (map
      (map Q2R) s) i)) (length (map (map Q2R) s))) as E;
    [|rewrite E; reflexivity].
  induction s as [|r s IH]; intro q; [apply Q2R_0|]; cbn [x_sdcg map length]; rewrite sum_to_first;
      cbn [ev].
  rewrite H', (ev_dcg k dx d), IH by (assumption || lia); rewrite Nat.add_1_r; f_equal.
  apply sum_to_ext; intros [|i] I; [lia|]; unfold shift, query; cbn [Nat.add Nat.sub nth]; rewrite
      Nat.sub_0_r, !Nat.add_succ_r; reflexivity.
Qed.
Definition q_ideal_session X c J (s : list (list Q)) := map (fun r => firstn (ranks X c (length r))
    (q_best J)) s.
Lemma ideal_session_value X c J s :
  map (map Q2R) (q_ideal_session X c (gains_q J) (map gains_q s)) = ideal_session X c (gains J) (map
      gains s).
Proof.
  unfold q_ideal_session, ideal_session; rewrite !map_map; apply map_ext; intro r.
  rewrite <- firstn_map, q_best_value, gains_value, <- (map_length Q2R (gains_q r)), gains_value;
      reflexivity.
Qed.
Lemma sessions_value s : map (map Q2R) (map gains_q s) = map gains s.
Proof. rewrite map_map; apply map_ext; intro; apply gains_value. Qed.

(** ** Rational measures *)

(** By a theorem, in steps that do not grow with the number of orders; the others are enumerated. *)
Definition q_tied least m T : option Q := match m with
  | Prec k => Some (Precision.expected_precision k T) | Recall k J => Some
      (Precision.expected_recall k (Precision.count (Precision.relevance least J)) T)
  | SP k => Some (Precision.expected_sp k 0 0 T)
  | AP_R k J => Some (Precision.expected_ap (Precision.normaliser Precision.of_R k (Precision.count
      (Precision.relevance least J)) []) k T)
  | AP_min k J => Some (Precision.expected_ap (Precision.normaliser Precision.of_min k
      (Precision.count (Precision.relevance least J)) []) k T)
  | AP_k k => Some (Precision.expected_ap (Precision.normaliser Precision.of_k k 0 []) k T)
  | _ => None
  end.
Lemma q_tied_value least m T q : q_tied least m T = Some q -> Q2R q = expectation (fun p => Q2R
    (binary_of least m p)) T.
Proof.
  destruct m; intros [= <-]; symmetry;
    [apply Precision.EXP_5_L1|apply Precision.EXP_6_L1|apply Precision.EXP_9_L1|apply
        Precision.EXP_10_L1; auto..].
Qed.

(** ERR in rational numbers: i - 1 items above, which the user passes with the probability go *)
Fixpoint q_err i (go : Q) k (l : list Q) : Q := match k, l with
  | S k', x :: l' => Qred (go * x / rank (S i) + q_err (S i) (Qred (go * (1 - x))) k' l')
  | _, _ => 0%Q
  end.
Lemma go_on_cons x r i : Cascade.go_on (x :: r) (S i) = (1 - x) * Cascade.go_on r i.
Proof. induction i as [|i IH]; [cbn; ring|]; change (Cascade.go_on (x :: r) (S (S i))) with
    (Cascade.go_on (x :: r) (S i) * (1 - at_rank (x :: r) (S (S i)))).
  rewrite IH; cbn [Cascade.go_on]; unfold at_rank; cbn [Nat.sub nth]; rewrite ?Nat.sub_0_r; ring.
      Qed.
Lemma rank_S i : ~ (rank (S i) == 0)%Q.
Proof. intros E; apply Qeq_eqR in E; rewrite rank_value, Q2R_0, S_INR in E; pose proof (pos_INR i);
    lra. Qed.
Lemma q_err_below s go k l :
  Q2R (q_err s go k l) = Q2R go * sum_to (fun i => / INR (s + i) * at_rank (reals l) i *
      Cascade.go_on (reals l) (i - 1)) (Nat.min k (length (reals l))).
Proof.
  revert s go l; induction k as [|k IH]; intros s go [|x l]; try (cbn; rewrite Q2R_0; ring); [].
  cbn [q_err map length Nat.min]; rewrite Q2R_red, Q2R_plus, sum_to_first, IH, Q2R_div, Q2R_mult,
      rank_value, Q2R_red, Q2R_mult, Q2R_minus, Q2R_1 by apply rank_S.
  rewrite Rmult_plus_distr_l; f_equal.
  - rewrite Nat.add_1_r; unfold at_rank; cbn; unfold Rdiv; ring.
  - rewrite !Rmult_assoc; f_equal; rewrite <- sum_to_scale; apply sum_to_ext; intros [|i] I; [lia|];
      unfold shift.
    cbn [Nat.add]; replace (S (S i) - 1)%nat with (S i) by lia; rewrite go_on_cons; replace (S i -
        1)%nat with i by lia.
    unfold at_rank; cbn [Nat.sub nth]; rewrite Nat.sub_0_r, !Nat.add_succ_r; cbn [Nat.add]; ring.
Qed.
Lemma q_err_value k l : Q2R (q_err 0 1 k l) = Cascade.err k (reals l).
Proof. rewrite q_err_below, Q2R_1, Rmult_1_l; apply sum_to_ext; intros; reflexivity. Qed.

Definition probability_q S (x : Q) : Q := match S with
  | Stop most => Qred (inject_Z (2 ^ Z.of_nat (whole_label x) - 1) / inject_Z (2 ^ Z.of_nat most))
  | Stops w => nth (whole_label x) w 0%Q | StopLabel => x end.
Lemma probability_value S x : Q2R (probability_q S x) = probability S x.
Proof.
  destruct S as [most|w|]; cbn [probability probability_q]; [| |reflexivity].
  - rewrite Q2R_red, Q2R_div, !Q2R_Z, minus_IZR; [unfold Cascade.stop; rewrite !pow_IZR;
      reflexivity|].
    intros E; apply Qeq_eqR in E; rewrite Q2R_Z, Q2R_0 in E; apply eq_IZR in E; pose proof
        (Z.pow_pos_nonneg 2 (Z.of_nat most)); lia.
  - unfold table; rewrite <- Q2R_0; symmetry; apply map_nth.
Qed.
Lemma probabilities_value S l : reals (map (probability_q S) l) = map (probability S) l.
Proof. rewrite map_map; apply map_ext, probability_value. Qed.

(** RBP in rational numbers: w = (1 - p) p^(i - 1) *)
Fixpoint q_rbp (p w : Q) (l : list bool) : Q := match l with
  | [] => 0
  | b :: l' => let below := q_rbp p (Qred (w * p)) l' in if b then Qred (w + below) else below
  end.
Lemma q_rbp_whole p w l :
  Q2R (q_rbp p w l) = whole (fun i => Q2R w * Q2R p ^ (i - 1)) (Precision.gains l).
Proof.
  revert w; induction l as [|b l IH]; intro w; [apply Q2R_0|]; cbn [q_rbp Precision.gains map].
  change (map (fun b : bool => if b then 1 else 0) l) with (Precision.gains l); rewrite whole_cons.
  rewrite (whole_ext (shift 1 _) (fun i => Q2R (Qred (w * p)) * Q2R p ^ (i - 1))), <- IH.
  - cbn [Nat.sub pow]; destruct b; cbn zeta; rewrite ?Q2R_red, ?Q2R_plus; ring.
  - intros [|i] I; [lia|]; unfold shift; rewrite Q2R_red, Q2R_mult; cbn; rewrite Nat.sub_0_r; ring.
Qed.

Definition q_quotient (a b : Q) : Q := if Qle_bool b 0 then 0 else Qred (a / b).
Lemma q_quotient_value a b : Q2R (q_quotient a b) = quotient (Q2R a) (Q2R b).
Proof.
  unfold q_quotient, quotient; destruct (Qle_bool b 0) eqn:E; [apply Qle_R in E|apply Qlt_R in E];
    rewrite Q2R_0 in E; destruct (Rlt_dec _ _); rewrite ?Q2R_0; try lra.
  rewrite Q2R_red; apply Q2R_div; intros F; apply Qeq_eqR in F; rewrite Q2R_0 in F; lra.
Qed.

Definition is_rational M := match M with CG_phi _ _ | DCG_phi _ _ _ | NDCG_phi _ _ _ _ => false
  | _ => true end.
Definition q_rated M (r : list Q) : Q := match M with
  | Binary m least => Qred (binary_of least m (Precision.relevance least r))
  | GAP k q J => Qred (Precision.gap q k r J)
  | RBP k p least => q_rbp p (1 - p) (firstn k (Precision.relevance least r))
  | ERR k P => q_err 0 1 k (map (probability_q P) r)
  | NERR k P J => q_quotient (q_err 0 1 k (map (probability_q P) r))
      (q_err 0 1 k (q_best (map (probability_q P) J)))
  | _ => 0 end.
Lemma q_rated_value M r : is_rational M = true -> Q2R (q_rated M r) = rated_of M r.
Proof.
  intros I; destruct M; try discriminate I; cbn [q_rated rated_of]; try apply Q2R_red.
  - rewrite q_rbp_whole, Cascade.CAS_5_L2, dcg_firstn; unfold Precision.gains; rewrite firstn_map.
    apply whole_ext; intros; rewrite Q2R_minus, Q2R_1; reflexivity.
  - rewrite q_err_value, probabilities_value; reflexivity.
  - rewrite q_quotient_value, !q_err_value, q_best_value, !probabilities_value; reflexivity.
Qed.
Definition q_expected M T : Q :=
  let enumerated := fun _ : Datatypes.unit => q_mean (map (q_rated M) (tied_orders T)) in
  match M with
  | Binary m least => match q_tied least m (map (map (Precision.is_relevant least)) T) with
      Some q => Qred q | None => enumerated tt end
  | GAP k q J => Qred (Precision.expected_gap q k T J)
  | _ => enumerated tt end.
Lemma enumerated_value (f : list Q -> Q) g T : (forall r, Q2R (f r) = g r) ->
  Q2R (q_mean (map f (tied_orders T))) = expectation g T.
Proof.
  intros E; rewrite q_mean_value, !map_length; unfold expectation, mean, sum; rewrite !total_map.
  f_equal; apply total_ext; intros; apply E.
Qed.
Lemma q_expected_value M T : is_rational M = true ->
  Q2R (q_expected M T) = expectation (rated_of M) T.
Proof.
  intros I; assert (Q2R (q_mean (map (q_rated M) (tied_orders T))) = expectation (rated_of M) T)
    as E by (apply enumerated_value; intros; apply q_rated_value, I).
  destruct M; try exact E; cbn [q_expected].
  - destruct (q_tied _ _ _) as [q|] eqn:F; [|exact E].
    rewrite Q2R_red, (q_tied_value _ _ _ _ F); symmetry; exact
      (Precision.expectation_map (Precision.is_relevant least) (fun p => Q2R (binary_of least m p))
        T).
  - rewrite Q2R_red; symmetry; apply Precision.EXP_18_L1.
Qed.

Definition x_related b A I L W := match b with
  | ByUpper => Quot A I | ByUL1 => x_UL1 A I L | ByUL2 => x_UL2 A I L
  | ByMinMax => x_MinMax A I L | ByMinMax_worst => x_MinMax A I W | ByRatio => Quot A L end.
Lemma ev_related b A I L W : ev (x_related b A I L W) = related b (ev A) (ev I) (ev L) (ev W).
Proof.
  destruct b; cbn [x_related related]; rewrite ?ev_UL1, ?ev_UL2, ?ev_MinMax; reflexivity.
Qed.

(** ** Variances, over all orders *)

Definition x_mean (l : list ex) := Mul (Num (/ rank (length l))) (fold_right Add (Num 0) l).
Lemma ev_mean {A} (f : A -> ex) l : l <> [] -> ev (x_mean (map f l)) = mean (fun x => ev (f x)) l.
Proof.
  intros N; unfold x_mean, mean; cbn [ev]; rewrite map_length, Q2R_inv, rank_value.
  - assert (ev (fold_right Add (Num 0) (map f l)) = total (fun x => ev (f x)) l) as ->;
      [|unfold Rdiv; ring].
    clear N; induction l; cbn; [apply Q2R_0|rewrite IHl; reflexivity].
  - destruct l; [contradiction|apply rank_S].
Qed.
(** The mean of the squares of what the values differ by: exactly 0 where all are equal *)
Definition x_square a := Mul a a.
Definition x_variance m J := let E := x_tied m [J] in
  x_mean (map (fun p => x_square (Sub (x_metric m p) E)) (tied_orders [J])).
Lemma ev_variance m J : proper_metric m = true ->
  ev (x_variance m (gains_q J)) = variance (metric_of m) (gains J).
Proof.
  intros P; unfold x_variance; cbn zeta; rewrite EXP_19_L1, ev_mean by apply tied_orders_some.
  rewrite <- gains_value; change [reals (gains_q J)] with (map reals [gains_q J]).
  rewrite <- (Precision.expectation_map Q2R (fun p => (metric_of m p - _) * (metric_of m p - _))).
  apply mean_ext; intros; unfold x_square; cbn [ev]; rewrite metric_value, tied_value by assumption;
    reflexivity.
Qed.
Definition q_variance M J : Q := Qred (q_mean (map (fun p => Qred (q_rated M p * q_rated M p))
  (tied_orders [J])) - q_expected M [J] * q_expected M [J]).
Lemma q_variance_value M J : is_rational M = true ->
  Q2R (q_variance M J) = variance (rated_of M) J.
Proof.
  intros I; unfold q_variance, variance; rewrite Q2R_red, Q2R_minus, Q2R_mult, q_expected_value by
    exact I; f_equal.
  apply enumerated_value; intros; rewrite Q2R_red, Q2R_mult, q_rated_value by exact I; reflexivity.
Qed.
Definition x_z V L A := IfLess (Num 0) V (Div (Sub A L) (Sqrt V)) (Num 0).

(** ** Gains 2^x - 1, and all measures of labels *)

(** Without a common divisor that would be divided out: those of large scores have 10^4 digits. *)
Definition x_power (x : Q) :=
  if Qeq_bool x 0 then Num 0 else if Qeq_bool x 1 then Num 1
  else if (Qden x =? 1)%positive && (0 <=? Qnum x)%Z then Num (inject_Z (2 ^ Qnum x - 1))
  else Sub (Pow2 x) (Num 1).
Lemma ev_power x : ev (x_power x) = Relevance.gain_phi x.
Proof.
  unfold x_power, Relevance.gain_phi.
  destruct (Qeq_bool x 0) eqn:Z; [apply Qeq_R in Z; rewrite Z, Q2R_0, exp2_0; apply Q2R_0|].
  destruct (Qeq_bool x 1) eqn:O; [apply Qeq_R in O; rewrite O, Q2R_1, exp2_1; apply Q2R_1|].
  unfold exp2; destruct (_ && _) eqn:E; cbn [ev]; rewrite ?Q2R_1; [|reflexivity].
  apply andb_prop in E; destruct E as [D N]; apply Pos.eqb_eq in D; apply Z.leb_le in N.
  rewrite Q2R_Z, minus_IZR; f_equal; unfold Q2R; rewrite D, Rinv_1, Rmult_1_r.
  rewrite <- (Z2Nat.id (Qnum x)) by assumption; rewrite <- INR_IZR_INZ, Rpower_pow by lra; rewrite
    pow_IZR; reflexivity.
Qed.
Fixpoint x_weighted (dx : nat -> ex) s (l : list ex) := match l with
  | [] => Num 0 | g :: l' => Add (Mul g (dx (S s))) (x_weighted dx (S s) l') end.
Lemma ev_weighted dx d s l : is dx d -> ev (x_weighted dx s l) = whole (shift s d) (map ev l).
Proof.
  intros D; revert s; induction l as [|g l IH]; intro s; [apply Q2R_0|]; cbn [x_weighted map ev];
    rewrite whole_cons, D, IH by lia.
  unfold shift at 2; rewrite Nat.add_1_r; f_equal; apply whole_ext; intros; unfold shift; f_equal;
    lia.
Qed.
Definition x_dcg_of k dx l := x_weighted dx 0 (firstn k l).
Lemma ev_dcg_of k dx d l : is dx d -> ev (x_dcg_of k dx l) = dcg k d (map ev l).
Proof. intros D; unfold x_dcg_of; rewrite (ev_weighted dx d), dcg_firstn, firstn_map by assumption;
  apply whole_ext; reflexivity. Qed.
Fixpoint x_expected_of k dx s (T : list (list ex)) := match T with
  | [] => Num 0
  | t :: T' => Add (Mul (x_mean t) (x_sum dx s (Nat.min (length t) (k - s)%nat)))
      (x_expected_of k dx (s + length t)%nat T')
  end.
Lemma ev_expected_of k dx d s T : is dx d ->
  ev (x_expected_of k dx s T) = expected_dcg k d s (map (map ev) T).
Proof.
  intros D; revert s; induction T as [|t T IH]; intro s; [apply Q2R_0|]; cbn [x_expected_of map
    expected_dcg ev].
  rewrite IH, (ev_sum dx d), map_length by assumption; do 2 f_equal.
  destruct t as [|x t]; [cbn; rewrite Q2R_0; unfold sum; cbn; unfold Rdiv; ring|].
  rewrite <- (map_id (x :: t)) at 1; rewrite ev_mean by discriminate; unfold mean, sum; rewrite
    total_map; reflexivity.
Qed.

Definition x_gain f s := x_power (exponent_of f s).
Lemma best_powers l : map Relevance.gain_phi (q_best l) = best (map Relevance.gain_phi l).
Proof.
  assert (forall x l, map Relevance.gain_phi (q_put x l) =
    put (Relevance.gain_phi x) (map Relevance.gain_phi l)) as P.
  { intros x m; induction m as [|y m IH]; cbn; [reflexivity|]; destruct (Qle_bool y x) eqn:E,
      (Rle_dec (Relevance.gain_phi y) (Relevance.gain_phi x)) as [H|H]; cbn; auto.
    - apply Qle_bool_iff, Relevance.gain_phi_le in E; contradiction.
    - apply Qlt_R in E; apply GAIN_2_L1 in E; unfold Relevance.gain_phi in H; lra.
    - rewrite IH; reflexivity. }
  induction l; cbn; [reflexivity|]; rewrite P, IHl; reflexivity.
Qed.
(** With the DCG of the list, or its expectation over ties *)
Definition x_powers M (dcg_of : nat -> (nat -> ex) -> (Q -> ex) -> ex) := match M with
  | CG_phi k f => dcg_of k (fun _ => Num 1) (x_gain f)
  | DCG_phi k D f => dcg_of k (discount_x D) (x_gain f)
  | NDCG_phi k D f J => Quot (dcg_of k (discount_x D) (x_gain f))
      (x_dcg_of k (discount_x D) (map x_power (q_best (map (exponent_of f) J))))
  | _ => Num 0 end.
Definition proper_rated M := match M with DCG_phi _ D _ | NDCG_phi _ D _ _ => proper D
  | _ => true end.
Definition x_rated M r := if is_rational M then Num (q_rated M r)
  else x_powers M (fun k dx g => x_dcg_of k dx (map g r)).
Definition x_rated_mean M T := if is_rational M then Num (q_expected M T)
  else x_powers M (fun k dx g => x_expected_of k dx 0 (map (map g) T)).
Lemma gains_phi f l : map ev (map (x_gain f) l) =
  map (fun s => Relevance.gain_phi (exponent_of f s)) l.
Proof. rewrite map_map; apply map_ext; intro; apply ev_power. Qed.
Lemma ideal_phi k D f J : proper D = true ->
  ev (x_dcg_of k (discount_x D) (map x_power (q_best (map (exponent_of f) J)))) =
  idcg k (discount_at D) (map (fun s => Relevance.gain_phi (exponent_of f s)) J).
Proof.
  intros P; rewrite (ev_dcg_of _ _ _ _ (discount_value D P)), map_map; unfold idcg, ideal; f_equal.
  rewrite (map_ext _ Relevance.gain_phi) by apply ev_power; rewrite best_powers, map_map;
    reflexivity.
Qed.
Lemma x_rated_value M r : proper_rated M = true -> ev (x_rated M r) = rated_of M r.
Proof.
  intros P; unfold x_rated; destruct (is_rational M) eqn:I; [apply q_rated_value, I|].
  destruct M; try discriminate I; cbn [x_powers rated_of proper_rated ev] in *.
  - rewrite (ev_dcg_of _ _ _ _ is_none), gains_phi; symmetry; apply cg_is_dcg.
  - rewrite (ev_dcg_of _ _ _ _ (discount_value D P)), gains_phi; reflexivity.
  - rewrite (ev_dcg_of _ _ _ _ (discount_value D P)), gains_phi, ideal_phi by assumption;
      reflexivity.
Qed.
Lemma groups_phi f T : map (map ev) (map (map (x_gain f)) T) =
  map (map (fun s => Relevance.gain_phi (exponent_of f s))) T.
Proof. rewrite map_map; apply map_ext; intro; apply gains_phi. Qed.
Lemma x_rated_mean_value M T : proper_rated M = true ->
  ev (x_rated_mean M T) = expectation (rated_of M) T.
Proof.
  intros P; unfold x_rated_mean; destruct (is_rational M) eqn:I; [apply q_expected_value, I|].
  destruct M; try discriminate I; cbn [x_powers rated_of proper_rated ev] in *.
  - rewrite (ev_expected_of _ _ _ _ _ is_none), groups_phi, <- EXP_2_L1; symmetry.
    rewrite <- Precision.expectation_map; apply expectation_ext; intros; apply cg_is_dcg.
  - rewrite (ev_expected_of _ _ _ _ _ (discount_value D P)), groups_phi, <- EXP_2_L1; symmetry.
    apply (Precision.expectation_map _ (dcg k (discount_at D))).
  - rewrite (ev_expected_of _ _ _ _ _ (discount_value D P)), groups_phi, ideal_phi by assumption.
    symmetry; etransitivity; [apply (Precision.expectation_map
      (fun s => Relevance.gain_phi (exponent_of f s)) (fun p => ndcg k (discount_at D) p _))|].
    apply EXP_3_L1.
Qed.
Definition x_rated_variance M J := if is_rational M then Num (q_variance M J) else
  let E := x_rated_mean M [J] in
  x_mean (map (fun p => x_square (Sub (x_rated M p) E)) (tied_orders [J])).
Lemma x_rated_variance_value M J : proper_rated M = true ->
  ev (x_rated_variance M J) = variance (rated_of M) J.
Proof.
  intros P; unfold x_rated_variance; destruct (is_rational M) eqn:I; [apply q_variance_value, I|].
  cbn zeta; rewrite EXP_19_L1, ev_mean by apply tied_orders_some.
  apply mean_ext; intros; unfold x_square; cbn [ev]; rewrite x_rated_value, x_rated_mean_value by
    assumption; reflexivity.
Qed.

Definition x_listing M l := match l with
  | InOrder r => x_rated M r
  | ByScores Expected scores r => x_rated_mean M (tied scores r)
  | ByScores AsInput scores r => x_rated M (concat (tied scores r))
  | ByScores BestFirst scores r => x_rated M (concat (map q_best (tied scores r)))
  | ByScores WorstFirst scores r => x_rated M (concat (map q_worst (tied scores r)))
  end.
Lemma x_listing_value M l : proper_rated M = true -> ev (x_listing M l) = rated_value M l.
Proof. intros P; destruct l as [r|[] scores r]; cbn [x_listing rated_value];
  (apply x_rated_value || apply x_rated_mean_value); exact P. Qed.

(** ** The ideal by the paper's eq. 7 *)

Definition raw_q L : list Q := match L with
  | Linear l => l | Exp2 l => map (fun n => inject_Z (Z.of_N n)) l | Table w l => map rank l end.
Lemma raw_value L : reals (raw_q L) = raw L.
Proof.
  destruct L; cbn [raw_q raw]; rewrite ?map_map; try reflexivity; apply map_ext; intro;
    [apply Q2R_Z|apply rank_value].
Qed.
Definition x_gain_of L (m : Q) := match L with Linear _ => Num m | _ => x_power m end.
(** With a gain by a formula, and both lists with the same *)
Definition by_formula L := match L with Table _ _ => false | _ => true end.
Definition same_gain L M := match L, M with
  | Linear _, Linear _ | Exp2 _, Exp2 _ => true | _, _ => false end.
Lemma x_gain_of_value L m : by_formula L = true -> ev (x_gain_of L m) = gain_of L (Q2R m).
Proof. destruct L; intros F; [reflexivity|apply ev_power|discriminate F]. Qed.
Definition q_count m (l : list Q) := length (filter (fun x => Qeq_bool x m) l).
Lemma q_count_value m l : q_count m l = Length.count (Q2R m) (reals l).
Proof.
  unfold q_count, Length.count; induction l as [|x l IH]; [reflexivity|]; cbn [map filter].
  destruct (Qeq_bool x m) eqn:E, (Req_EM_T (Q2R x) (Q2R m)) as [H|H]; cbn [length]; try rewrite IH;
    try reflexivity; [apply Qeq_R in E; contradiction|apply Qneq_R in E; contradiction].
Qed.
Definition x_ildcg_eq7 z k dx wx L := match q_best (raw_q L) with
  | [] => Num 0
  | m :: _ => let n := Nat.min k (q_count m (raw_q L)) in
      Quot (Mul (x_gain_of L m) (x_sum dx 0 n)) (Mul z (x_S wx dx n)) end.
Lemma ev_ildcg_eq7 zx z k dx d wx w L : by_formula L = true -> ev zx = z -> is dx d -> is wx w ->
  ev (x_ildcg_eq7 zx k dx wx L) = Length.ildcg_eq7 z k d w (gain_of L) (raw L).
Proof.
  intros F Z D W; unfold x_ildcg_eq7, Length.ildcg_eq7, ideal.
  rewrite <- raw_value, <- q_best_value.
  destruct (q_best (raw_q L)) as [|m l]; [apply Q2R_0|]; cbn [map]; cbn zeta; cbn [ev].
  rewrite <- q_count_value, x_gain_of_value, (ev_sum_0 dx d), (ev_S wx w dx d), Z by assumption;
    reflexivity.
Qed.

Definition x_measure f := match f with
  | Number q => Num q
  | Mean l => Num (q_mean l)
  | Value m r => x_value m r
  | IDCG k D J => x_idcg k D J
  | ILDCG k D W J => x_ildcg (Num 1) k (discount_x D) (discount_x W) (gains_q J)
  | ILDCG_Z k D W J => x_ildcg (x_Z k (discount_x W)) k (discount_x D) (discount_x W) (gains_q J)
  | ILDCG_eq7 k D W J => x_ildcg_eq7 (Num 1) k (discount_x D) (discount_x W) J
  | ILDCG_eq7_Z k D W J => x_ildcg_eq7 (x_Z k (discount_x W)) k (discount_x D) (discount_x W) J
  | LNDCG_eq7 k D W r J => Quot (x_metric (LDCG k D W) (gains_q r))
      (x_ildcg_eq7 (Num 1) k (discount_x D) (discount_x W) J)
  | IUB m J => x_ideal m (gains_q J)
  | RLB m J => x_tied m [gains_q J]
  | WLB m J => x_metric m (rev (q_best (gains_q J)))
  | Upper m r J => Quot (x_value m r) (x_ideal m (gains_q J))
  | UL1 m r J => x_UL1 (x_value m r) (x_ideal m (gains_q J)) (x_tied m [gains_q J])
  | UL2 m r J => x_UL2 (x_value m r) (x_ideal m (gains_q J)) (x_tied m [gains_q J])
  | MinMax m r J => x_MinMax (x_value m r) (x_ideal m (gains_q J)) (x_tied m [gains_q J])
  | MinMax_worst m r J => x_MinMax (x_value m r) (x_ideal m (gains_q J)) (x_metric m (rev (q_best
      (gains_q J))))
  | Ratio m r J => Quot (x_value m r) (x_tied m [gains_q J])
  | RLB_eq7 k D J => x_rlb_eq7 k D J
  | UL1_eq7 k D r J => x_UL1 (x_value (DCG k D) r) (x_idcg k D J) (x_rlb_eq7 k D J)
  | UL2_eq7 k D r J => x_UL2 (x_value (DCG k D) r) (x_idcg k D J) (x_rlb_eq7 k D J)
  | MinMax_eq7 k D r J => x_MinMax (x_value (DCG k D) r) (x_idcg k D J) (x_rlb_eq7 k D J)
  | SDCG k D Q s => x_sdcg k (discount_x D) (discount_x Q) 0 (map gains_q s)
  | SDCG_q k D Q [] => Num 0
  | SDCG_q k D Q s => Mul (x_sdcg k (discount_x D) (discount_x Q) 0 (map gains_q s)) (Num (/ rank
      (length s)))
  | IsDCG k c D Q J s => x_sdcg k (discount_x D) (discount_x Q) 0 (q_ideal_session k c (gains_q J)
      (map gains_q s))
  | NsDCG k c D Q J s => Quot (x_sdcg k (discount_x D) (discount_x Q) 0 (map gains_q s))
      (x_sdcg k (discount_x D) (discount_x Q) 0 (q_ideal_session k c (gains_q J) (map gains_q s)))
  | Rated M r => x_listing M r
  | Rated_IUB M J => x_rated M (q_best J)
  | Rated_RLB M J => x_rated_mean M [J]
  | Rated_WLB M J => x_rated M (q_worst J)
  | Rated_by b M r J => x_related b (x_listing M r) (x_rated M (q_best J)) (x_rated_mean M [J])
      (x_rated M (q_worst J))
  | Paper_IUB m least => Num (Qred (iub_by_paper m least))
  | Paper_RLB m least J => Num (Qred (rlb_by_paper m least J))
  | Paper_by b m least r J => x_related b (x_listing (Binary m least) r)
      (Num (Qred (iub_by_paper m least))) (Num (Qred (rlb_by_paper m least J)))
      (x_rated (Binary m least) (q_worst J))
  | Variance m J => x_variance m (gains_q J)
  | Rated_variance M J => x_rated_variance M J
  | Z_value m r J => x_z (x_variance m (gains_q J)) (x_tied m [gains_q J]) (x_value m r)
  | Rated_z_value M r J => x_z (x_rated_variance M J) (x_rated_mean M [J]) (x_listing M r)
  end.
Definition proper_measure f := match f with
  | Value m _ | IUB m _ | RLB m _ | WLB m _ | Upper m _ _ | UL1 m _ _ | UL2 m _ _ | MinMax m _ _ |
      MinMax_worst m _ _ | Ratio m _ _ => proper_metric m
  | IDCG _ D _ | RLB_eq7 _ D _ | UL1_eq7 _ D _ _ | UL2_eq7 _ D _ _ | MinMax_eq7 _ D _ _ => proper D
  | ILDCG _ D W _ | ILDCG_Z _ D W _ | SDCG _ D W _ | SDCG_q _ D W _ | IsDCG _ _ D W _ _ | NsDCG _ _
      D W _ _ => proper D && proper W
  | Variance m _ | Z_value m _ _ => proper_metric m
  | Number _ | Mean _ | Paper_IUB _ _ | Paper_RLB _ _ _ | Paper_by _ _ _ _ _ => true
  | ILDCG_eq7 _ D W J | ILDCG_eq7_Z _ D W J => (proper D && proper W) && by_formula J
  | LNDCG_eq7 _ D W r J => (proper D && proper W) && same_gain r J
  | Rated M _ | Rated_IUB M _ | Rated_RLB M _ | Rated_WLB M _ | Rated_by _ M _ _
  | Rated_variance M _ | Rated_z_value M _ _ => proper_rated M
  end.
Lemma x_measure_value f : proper_measure f = true -> ev (x_measure f) = value f.
Proof.
  intros P; destruct f; cbn [proper_measure] in P; try (apply andb_prop in P; destruct P as [P P']);
      cbn [x_measure value];
    rewrite ?ev_UL1, ?ev_UL2, ?ev_MinMax; cbn [ev];
    rewrite ?x_value_of, ?x_ideal_value, ?x_rlb_value, ?x_wlb_value, ?x_idcg_value, ?ev_rlb_eq7 by
        assumption; try reflexivity.
  - rewrite q_mean_value, map_length; unfold mean, sum; rewrite total_map; reflexivity.
  - rewrite (ev_ildcg (Num 1) 1 _ _ _ _ _ _ Q2R_1 (discount_value _ P) (discount_value _ P')),
      gains_value; reflexivity.
  - rewrite (ev_ildcg _ _ _ _ _ _ _ _ (ev_Z _ _ _ (discount_value _ P')) (discount_value _ P)
      (discount_value _ P')), gains_value; reflexivity.
  - apply andb_prop in P; destruct P as [P Q]; apply ev_ildcg_eq7; [assumption|apply Q2R_1|
      apply discount_value; assumption..].
  - apply andb_prop in P; destruct P as [P Q]; apply ev_ildcg_eq7; [assumption|apply ev_Z|..];
      apply discount_value; assumption.
  - apply andb_prop in P; destruct P as [P Q]; unfold Length.lndcg_eq7; f_equal.
    + rewrite (metric_value (LDCG k D W)), gains_value by (cbn; rewrite P, Q; reflexivity).
      destruct r, J; try discriminate P'; reflexivity.
    + apply ev_ildcg_eq7; [destruct r, J; (reflexivity || discriminate P')|apply Q2R_1|
        apply discount_value; assumption..].
  - rewrite (ev_sdcg _ _ _ _ _ _ (discount_value _ P) (discount_value _ P')), sessions_value;
      reflexivity.
  - destruct s as [|r s]; [cbn [ev]; unfold sdcg_q, sdcg; cbn; rewrite Q2R_0; unfold Rdiv; ring|];
      remember (r :: s) as t eqn:T.
    cbn [ev]; rewrite (ev_sdcg _ _ _ _ _ _ (discount_value _ P) (discount_value _ P')),
        sessions_value.
    unfold sdcg_q; rewrite map_length, Q2R_inv, rank_value; [reflexivity|rewrite T; apply rank_S].
  - unfold isdcg; rewrite (ev_sdcg _ _ _ _ _ _ (discount_value _ P) (discount_value _ P')),
      ideal_session_value; reflexivity.
  - unfold nsdcg, isdcg; rewrite !(ev_sdcg _ _ _ _ _ _ (discount_value _ P) (discount_value _ P')),
      ideal_session_value, sessions_value; reflexivity.
  - apply x_listing_value; assumption.
  - apply x_rated_value; assumption.
  - apply x_rated_mean_value; assumption.
  - apply x_rated_value; assumption.
  - rewrite ev_related, x_listing_value, x_rated_mean_value, !x_rated_value by assumption;
      reflexivity.
  - apply Q2R_red.
  - apply Q2R_red.
  - rewrite ev_related, x_listing_value, x_rated_value by reflexivity; cbn [ev]; rewrite !Q2R_red;
      reflexivity.
  - apply ev_variance; assumption.
  - apply x_rated_variance_value; assumption.
  - unfold x_z, z_value; cbn [ev]; rewrite ev_variance, x_rlb_value, x_value_of, Q2R_0 by
      assumption; reflexivity.
  - unfold x_z, z_value; cbn [ev]; rewrite x_rated_variance_value, x_rated_mean_value,
      x_listing_value, Q2R_0 by assumption; reflexivity.
Qed.

(** * The checker *)

Definition enclosed_logs prec n := map (fun i => I.ln prec (I.fromZ prec (Z.of_nat (i + 2)))) (seq 0
    n).
Lemma logs_enclosed prec n i l : nth_error (enclosed_logs prec n) i = Some l -> contains (I.convert
    l) (Xreal (ln (INR (i + 2)))).
Proof.
  unfold enclosed_logs; intros H; assert (i < n)%nat as L.
  { rewrite <- (seq_length n 0), <- (map_length (fun j => I.ln prec (I.fromZ prec (Z.of_nat (j +
      2))))); apply nth_error_Some; congruence. }
  rewrite nth_error_map in H; assert (nth_error (seq 0 n) i = Some i) as E.
  { rewrite (nth_error_nth' _ 0%nat), seq_nth by (rewrite ?seq_length; assumption); reflexivity. }
  rewrite E in H; cbn [option_map] in H; assert (l = I.ln prec (I.fromZ prec (Z.of_nat (i + 2)))) as
      -> by congruence.
  rewrite INR_IZR_INZ; apply (enclose_ln prec), I.fromZ_correct.
Qed.

(** With 128 bits, and where they do not tell with 640 *)
Definition coarse := F.PtoP 128.
Definition fine := F.PtoP 640.
Definition check_by logs (v : measure * Z) :=
  if proper_measure (fst v) then
    let e := x_measure (fst v) in
    if decide coarse logs e (snd v) then true
    else if elsewhere coarse logs e (snd v) then false else decide fine [] e (snd v)
  else false.
Definition check (vs : list (measure * Z)) := let logs := enclosed_logs coarse 64 in map (check_by
    logs) vs.
Theorem check_sound vs : forallb (fun b => b) (check vs) = true -> Forall holds vs.
Proof.
  unfold check; intros H; apply Forall_forall; intros v V; rewrite forallb_forall in H; specialize
      (H _ (in_map _ _ _ V)); cbn beta in H.
  unfold check_by in H; destruct (proper_measure _) eqn:P; [|discriminate]; unfold holds; rewrite <-
      x_measure_value by assumption.
  destruct (decide coarse _ _ _) eqn:D; [apply decide_sound in D; [assumption|apply
      logs_enclosed]|].
  destruct (elsewhere _ _ _ _); [discriminate|].
  apply decide_sound in H; [assumption|intros [|n] i; discriminate].
Qed.

(** * A rational value, as a fraction *)

Definition exact_of e := match lin e with Some f => rational f | None => None end.
Definition exact f := if proper_measure f then exact_of (x_measure f) else None.
Lemma exact_of_value e q : exact_of e = Some q -> ev e = Q2R q.
Proof.
  unfold exact_of; destruct (lin e) as [f|] eqn:L; [|discriminate]; intros R.
  rewrite (lin_value _ _ L); apply rational_value; assumption.
Qed.
Theorem exact_value f q : exact f = Some q -> value f = Q2R q.
Proof.
  unfold exact; destruct (proper_measure f) eqn:P; [|discriminate].
  rewrite <- (x_measure_value f P); apply exact_of_value.
Qed.

(** * Certificates *)

(** What a certificate says of a value: the double nearest to it (RS-NUM-1), an end of an enclosure,
    or the value itself as a fraction *)
Inductive claim := Double (b : Z) | AtLeast (q : Q) | AtMost (q : Q) | Equals (q : Q).
Definition true_of x c := match c with
  | Double b => nearest_double x b
  | AtLeast q => Q2R q <= x
  | AtMost q => x <= Q2R q
  | Equals q => x = Q2R q
  end.

(** By an enclosure of so many bits, of which so many logarithms are computed once; and where it
    does not tell by an exact value *)
Definition judged prec logs e c := match c with
  | Double b => decide prec logs e b
  | AtLeast q => match I.sign_strict (I.sub prec (iev prec logs e) (of_q prec q)) with
      | Xgt => true
      | _ => match exactly prec logs e with Some x => Qle_bool q x | None => false end end
  | AtMost q => match I.sign_strict (I.sub prec (iev prec logs e) (of_q prec q)) with
      | Xlt => true
      | _ => match exactly prec logs e with Some x => Qle_bool x q | None => false end end
  | Equals q => match exactly prec logs e with Some x => Qeq_bool x q | None => false end
  end.
Definition judge bits n f cs := if proper_measure f
  then let logs := enclosed_logs (F.PtoP bits) n in
    map (judged (F.PtoP bits) logs (x_measure f)) cs
  else map (fun _ => false) cs.

Lemma judged_sound prec n e c : judged prec (enclosed_logs prec n) e c = true -> true_of (ev e) c.
Proof.
  set (logs := enclosed_logs prec n); pose proof (logs_enclosed prec n) as N; fold logs in N.
  assert (forall q, exactly prec logs e = Some q -> ev e = Q2R q) as X.
  { intros q; unfold exactly; destruct (lin _) eqn:L; [|discriminate]; intros R.
    apply lin_value in L; apply rational_value in R; rewrite branch_value in L by exact N;
    congruence. }
  assert (forall q, contains (I.convert (I.sub prec (iev prec logs e) (of_q prec q)))
    (Xreal (ev e - Q2R q))) as D.
  { intros q; exact (I.sub_correct prec _ _ _ _ (iev_encloses prec logs N e)
      (of_q_encloses prec q)). }
  destruct c as [b|q|q|q]; cbn [judged true_of]; [apply decide_sound; exact N|..];
    try (specialize (D q); pose proof (I.sign_strict_correct
      (I.sub prec (iev prec logs e) (of_q prec q))) as S; destruct (I.sign_strict _));
    match goal with
    | |- true = true -> _ => intros _; destruct (S _ D) as [_ S']; cbn in S'; lra
    | _ => idtac end;
    destruct (exactly prec logs e) eqn:E; try discriminate; rewrite (X _ eq_refl);
    intros H; (apply Qle_R in H || apply Qeq_R in H); assumption.
Qed.
Theorem judge_sound bits n f cs :
  forallb (fun b => b) (judge bits n f cs) = true -> Forall (true_of (value f)) cs.
Proof.
  unfold judge; destruct (proper_measure f) eqn:P; rewrite forallb_forall; intros H;
    apply Forall_forall; intros c C.
  - rewrite <- x_measure_value by assumption; apply (judged_sound (F.PtoP bits) n).
    apply H, in_map_iff; eauto.
  - discriminate (H false); apply in_map_iff; eauto.
Qed.
