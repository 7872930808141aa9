(* Relevance from scores: spec/relevance.md.  All up to phi is rational, and can be computed. *)
Require Import Reals Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg.
Require Import QArith Qround Qreals Lqa.
Import ListNotations.
Open Scope Q_scope.

(** * Quartiles and whisker *)

Inductive Quartiles := linear | hinges | weibull | median_unbiased.

(** RS-REL-1: the positions q(1/4), q(1/2) and q(3/4) among n scores *)
Definition position_1 (by_ : Quartiles) (n : Z) : Q :=
  match by_ with
  | linear => (inject_Z n + 3) / 4
  | hinges => inject_Z (Qfloor ((inject_Z n + 3) / 2)) / 2
  | weibull => (inject_Z n + 1) / 4
  | median_unbiased => inject_Z n / 4 + (5 # 12)
  end.
Definition position_2 (n : Z) : Q := (inject_Z n + 1) / 2.
Definition position_3 (by_ : Quartiles) (n : Z) : Q :=
  match by_ with
  | linear => (3 * inject_Z n + 1) / 4
  | hinges => inject_Z n + 1 - position_1 hinges n
  | weibull => 3 * (inject_Z n + 1) / 4
  | median_unbiased => 3 * inject_Z n / 4 + (7 # 12)
  end.

(** The scores in rising order *)
Fixpoint insert (x : Q) l := match l with [] => [x] | y :: l' => if Qle_bool x y then x :: l else y
  :: insert x l' end.
Fixpoint rising l := match l with [] => [] | x :: l' => insert x (rising l') end.
(** The i-th score, i from 1 on *)
Definition score (x : list Q) (i : Z) := nth (Z.to_nat (i - 1)) x 0.

(** RS-REL-1: x(j) + (q - j) (x(j + 1) - x(j)), j the integer part of q, which is from 1 to n *)
Definition quantile x (position : Q) :=
  let n := inject_Z (Z.of_nat (length x)) in
  let q := if Qle_bool position 1 then 1 else if Qle_bool n position then n else position in
  let j := Qfloor q in score x j + (q - inject_Z j) * (score x (j + 1) - score x j).
Definition quartile_1 by_ x := quantile x (position_1 by_ (Z.of_nat (length x))).
Definition median x := quantile x (position_2 (Z.of_nat (length x))).
Definition quartile_3 by_ x := quantile x (position_3 by_ (Z.of_nat (length x))).

(** RS-REL-1/L4: by all four q(3/4) = n + 1 - q(1/4) *)
Theorem REL_1_L4 by_ n : position_3 by_ n == inject_Z n + 1 - position_1 by_ n.
Proof. destruct by_; unfold position_3, position_1; field || reflexivity. Qed.

(** RS-REL-2: Q3 + 3/2 (Q3 - Q1) *)
Definition whisker Q1 Q3 : Q := Q3 + (3 # 2) * (Q3 - Q1).
(** RS-REL-3: alpha = (max - W) / (max - min) *)
Definition alpha low W high : Q := (high - W) / (high - low).

(** RS-REL-2/L1: W >= Q3, where Q1 <= Q3 *)
Theorem REL_2_L1 Q1 Q3 : Q1 <= Q3 -> Q3 <= whisker Q1 Q3.
Proof. unfold whisker; lra. Qed.
(** RS-REL-2/L2: W = med if and only if Q1 = Q3 *)
Theorem REL_2_L2 Q1 med Q3 : Q1 <= med <= Q3 -> (whisker Q1 Q3 == med <-> Q1 == Q3).
Proof. unfold whisker; split; intros; lra. Qed.
(** RS-REL-2/L3: the whisker of a S + b is a W + b *)
Theorem REL_2_L3 a b Q1 Q3 : whisker (a * Q1 + b) (a * Q3 + b) == a * whisker Q1 Q3 + b.
Proof. unfold whisker; ring. Qed.
(** RS-REL-3/L1: 0 < alpha <= 1, and alpha = 1 if and only if W = min *)
Theorem REL_3_L1 low W high : low <= W < high -> 0 < alpha low W high <= 1 /\
  (alpha low W high == 1 <-> W == low).
Proof.
  intros H; unfold alpha; assert (0 < high - low) as P by lra;
  assert (alpha low W high * (high - low) == high - W) as E by (unfold alpha; field; lra).
  unfold alpha in E; set (a := (high - W) / (high - low)) in *; repeat split; intros; try nra.
Qed.
(** RS-REL-3/L2: 1 - alpha = (W - min) / (max - min) *)
Theorem REL_3_L2 low W high : low < high -> 1 - alpha low W high == (W - low) / (high - low).
Proof. intros; unfold alpha; field; lra. Qed.
(** RS-REL-3/L3: it is the same for a S + b and a W + b *)
Theorem REL_3_L3 a b low W high : 0 < a -> low < high -> alpha (a * low + b) (a * W + b)
  (a * high + b) == alpha low W high.
Proof. intros; unfold alpha; field; split; nra. Qed.

(** * Control points *)

(** RS-REL-4: (min, 0), (med, 0), (W, 1 - alpha) if max > W, (max, 1) *)
Definition points_of_sorted first by_ x : list (Q * Q) :=
  let high := score x (Z.of_nat (length x)) in
  let W := whisker (quartile_1 by_ x) (quartile_3 by_ x) in
  match x with
  | [] => []
  | low :: _ => (first low, 0) :: (median x, 0) :: (if Qle_bool high W then [] else [(W,
  1 - alpha low W high)]) ++ [(high, 1)]
  end.
Definition control_points by_ S := points_of_sorted (fun low => low) by_ (rising S).

(** RS-REL-5: of the scores above 0 alone, with W+ the greatest score up to W,
    and the first point (0, 0) *)
Definition positive_scores := filter (fun s => negb (Qle_bool s 0)).
Definition control_points_of_program by_ S : list (Q * Q) :=
  let x := rising (positive_scores S) in
  let high := score x (Z.of_nat (length x)) in
  let W := whisker (quartile_1 by_ x) (quartile_3 by_ x) in
  match x with
  | [] => []
  | low :: _ =>
      let Wp := last (filter (fun s => Qle_bool s W) x) low in
      (0, 0) :: (median x, 0) :: (if Qle_bool high Wp then [] else [(Wp, 1 - alpha low Wp high)])
      ++ [(high, 1)]
  end.

(** RS-REL-5/L2: scores of 0 or less change no point *)
Theorem REL_5_L2 by_ S s : s <= 0 -> control_points_of_program by_ (s :: S)
  = control_points_of_program by_ S.
Proof.
  intros H; unfold control_points_of_program, positive_scores; cbn [filter];
  apply Qle_bool_iff in H; rewrite H; reflexivity.
Qed.
(** RS-REL-4/L4: the point at the whisker lies above the line from (med, 0) to (max, 1),
    if med > min, by this much *)
Theorem REL_4_L4 low med W high : low <= med < high ->
  (1 - alpha low W high) - (W - med) / (high - med) == (high - W) * (med - low) / ((high - low)
  * (high - med)).
Proof. intros; unfold alpha; field; split; lra. Qed.

(** RS-REL-6: of points of the same score the last *)
Fixpoint distinct (points : list (Q * Q)) : list (Q * Q) :=
  match points with
  | [] => []
  | p :: rest =>
      match rest with
      | [] => [p]
      | q :: _ => if Qeq_bool (fst p) (fst q) then distinct rest else p :: distinct rest
      end
  end.

(** * Slopes.  The control points are (X 0, Y 0), ..., (X l, Y l). *)

(** RS-REL-7: the widths of the intervals and the slopes of their chords *)
Definition width (X : nat -> Q) j := X (S j) - X j.
Definition chord (X Y : nat -> Q) j := (Y (S j) - Y j) / width X j.
(** RS-REL-7: (w0 + w1) / (w0/D0 + w1/D1) with w0 = 2 h1 + h0, w1 = h1 + 2 h0,
    and 0 where D0 D1 <= 0 *)
Definition interior_slope h0 h1 D0 D1 : Q :=
  if Qle_bool (D0 * D1) 0 then 0
  else let w0 := 2 * h1 + h0 in let w1 := h1 + 2 * h0 in (w0 + w1) / (w0 / D0 + w1 / D1).
(** RS-REL-7: at an end, h0 and D0 being its interval *)
Definition end_slope h0 h1 D0 D1 : Q :=
  let delta := ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1) in
  if Qle_bool (delta * D0) 0 then 0
  else if Qle_bool (D0 * D1) 0 && negb (Qle_bool (Qabs.Qabs delta) (3 * Qabs.Qabs D0)) then 3 * D0
  else delta.
(** RS-REL-7: the slope at the point j *)
Definition slope l X Y j : Q :=
  let h := width X in let D := chord X Y in
  if (l =? 1)%nat then D O
  else if (j =? 0)%nat then end_slope (h 0%nat) (h 1%nat) (D 0%nat) (D 1%nat)
  else if (j =? l)%nat then end_slope (h (l - 1)%nat) (h (l - 2)%nat) (D (l - 1)%nat)
  (D (l - 2)%nat)
  else interior_slope (h (j - 1)%nat) (h j) (D (j - 1)%nat) (D j).

Ltac bools := repeat match goal with
  | |- context [Qle_bool ?a ?b] => let E := fresh "E" in let K := fresh "K" in
      destruct (Qle_bool a b) eqn:E; [apply Qle_bool_iff in E|assert (b < a) by (apply Qnot_le_lt;
      intros K; apply Qle_bool_iff in K; congruence); clear E]
  end; cbn [andb negb].

Lemma factors_pos a b : 0 <= b -> 0 < a * b -> 0 < a /\ 0 < b.
Proof.
  intros B H; destruct (Qlt_le_dec 0 b) as [P|P]; [split; [apply Qnot_le_lt; intros A;
  nra|assumption]|].
  assert (b == 0) as Z by lra; rewrite Z in H; lra.
Qed.
(** Inside, d is at most 3 (h0 + h1)/(2 h1 + h0) D0, and at most 3 (h0 + h1)/(h1 + 2 h0) D1. *)
Lemma interior_bounds h0 h1 D0 D1 : 0 < h0 -> 0 < h1 -> 0 <= D0 -> 0 <= D1 ->
  0 <= interior_slope h0 h1 D0 D1 /\
  interior_slope h0 h1 D0 D1 * (2 * h1 + h0) <= 3 * (h0 + h1) * D0 /\
  interior_slope h0 h1 D0 D1 * (h1 + 2 * h0) <= 3 * (h0 + h1) * D1.
Proof.
  intros P0 P1 N0 N1; unfold interior_slope; bools; cbv zeta.
  - repeat split; nra.
  - assert (0 < D0) as A by nra; assert (0 < D1) as B by nra.
    assert (2 * h1 + h0 + (h1 + 2 * h0) == 3 * (h0 + h1)) as W by ring.
    assert (0 < (2 * h1 + h0) * D1 + (h1 + 2 * h0) * D0) as Z by nra.
    assert ((2 * h1 + h0 + (h1 + 2 * h0)) / ((2 * h1 + h0) / D0 + (h1 + 2 * h0) / D1) ==
      3 * (h0 + h1) * D0 * D1 / ((2 * h1 + h0) * D1 + (h1 + 2 * h0) * D0)) as -> by (field;
      repeat split; lra).
    set (N := (2 * h1 + h0) * D1 + (h1 + 2 * h0) * D0) in *;
    assert (3 * (h0 + h1) * D0 * D1 / N * N == 3 * (h0 + h1) * D0 * D1) as E by (field; lra).
    set (d := 3 * (h0 + h1) * D0 * D1 / N) in *; assert (0 < 3 * (h0 + h1) * D0 * D1)
    as T by (repeat apply Qmult_lt_0_compat; lra).
    assert (0 <= d) as F by (apply Qnot_lt_le; intros G; nra); unfold N in E; repeat split;
    [assumption| |].
    + apply Qmult_le_r with D1; [assumption|]; assert (0 <= d * ((h1 + 2 * h0) * D0))
      by (apply Qmult_le_0_compat; [|apply Qlt_le_weak, Qmult_lt_0_compat]; lra); nra.
    + apply Qmult_le_r with D0; [assumption|]; assert (0 <= d * ((2 * h1 + h0) * D1))
      by (apply Qmult_le_0_compat; [|apply Qlt_le_weak, Qmult_lt_0_compat]; lra); nra.
Qed.
(** RS-REL-7/L5: at an end d <= (2 h0 + h1)/(h0 + h1) D0 < 2 D0 where D0 > 0;
    the case 3 D0 never occurs *)
Theorem REL_7_L5 h0 h1 D0 D1 : 0 < h0 -> 0 < h1 -> 0 <= D0 -> 0 <= D1 ->
  let delta := ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1) in
  0 <= end_slope h0 h1 D0 D1 /\ end_slope h0 h1 D0 D1 * (h0 + h1) <= (2 * h0 + h1) * D0 /\
  end_slope h0 h1 D0 D1 == (if Qle_bool (delta * D0) 0 then 0 else delta) /\ (0 < D0 ->
  end_slope h0 h1 D0 D1 < 2 * D0).
Proof.
  intros P0 P1 N0 N1; cbv zeta; unfold end_slope; cbv zeta.
  assert (((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1) * (h0 + h1) == (2 * h0 + h1) * D0 - h0 * D1)
  as E by (field; lra).
  set (delta := ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1)) in *;
  destruct (Qle_bool (delta * D0) 0) eqn:B.
  - split; [lra|split; [nra|split; [reflexivity|intros; lra]]].
  - assert (0 < delta * D0) as C by (apply Qnot_le_lt; intros D; apply Qle_bool_iff in D;
    congruence).
    destruct (factors_pos delta D0 N0 C); assert (delta * (h0 + h1) <= (2 * h0 + h1) * D0)
    as L by nra.
    assert (delta < 2 * D0) by nra.
    assert (Qle_bool (Qabs.Qabs delta) (3 * Qabs.Qabs D0) = true) as ->.
    { apply Qle_bool_iff; rewrite !Qabs.Qabs_pos by lra; lra. }
    cbn [negb]; rewrite Bool.andb_false_r; split; [lra|split; [assumption|split;
    [reflexivity|intros; assumption]]].
Qed.

Definition rises l (X Y : nat -> Q) := (forall j, (j < l)%nat -> X j < X (S j)) /\ forall j,
  (j < l)%nat -> Y j <= Y (S j).

Lemma width_pos l X Y j : rises l X Y -> (j < l)%nat -> 0 < width X j.
Proof. intros [H _] J; unfold width; specialize (H j J); lra. Qed.
Lemma chord_nonneg l X Y j : rises l X Y -> (j < l)%nat -> 0 <= chord X Y j.
Proof.
  intros H J; pose proof (width_pos l X Y j H J); destruct H as [_ H]; specialize (H j J);
  unfold chord.
  apply Qle_shift_div_l; [assumption|lra].
Qed.
(** RS-REL-7/L1: 0 <= d_j <= 3 D_j and 0 <= d_(j + 1) <= 3 D_j for every interval *)
Theorem REL_7_L1 l X Y j : rises l X Y -> (j < l)%nat ->
  0 <= slope l X Y j <= 3 * chord X Y j /\ 0 <= slope l X Y (S j) <= 3 * chord X Y j.
Proof.
  intros H J; pose proof (fun i I => width_pos l X Y i H I) as W;
  pose proof (fun i I => chord_nonneg l X Y i H I) as C.
  pose proof (W j J); pose proof (C j J); unfold slope; cbv zeta; destruct (Nat.eqb_spec l 1).
  - replace j with O in * by lia; split; lra.
  - split.
    + destruct (Nat.eqb_spec j 0) as [->|Z].
      * destruct (REL_7_L5 (width X 0) (width X 1) (chord X Y 0) (chord X Y 1)) as (A & B & _);
        [apply W; lia|apply W; lia|apply C; lia|apply C; lia|].
        pose proof (W 1%nat ltac:(lia)); split; [assumption|nra].
      * destruct (Nat.eqb_spec j l); [lia|].
        destruct (interior_bounds (width X (j - 1)) (width X j) (chord X Y (j - 1)) (chord X Y j))
        as (A & _ & B); [apply W; lia|apply W; lia|apply C; lia|apply C; lia|].
        pose proof (W (j - 1)%nat ltac:(lia)); split; [assumption|nra].
    + change (S j =? 0)%nat with false; cbv iota; destruct (Nat.eqb_spec (S j) l) as [E|E].
      * replace (l - 1)%nat with j by lia; replace (l - 2)%nat with (j - 1)%nat by lia.
        destruct (REL_7_L5 (width X j) (width X (j - 1)) (chord X Y j) (chord X Y (j - 1)))
        as (A & B & _); [apply W; lia|apply W; lia|apply C; lia|apply C; lia|].
        pose proof (W (j - 1)%nat ltac:(lia)); split; [assumption|nra].
      * replace (S j - 1)%nat with j by lia.
        destruct (interior_bounds (width X j) (width X (S j)) (chord X Y j) (chord X Y (S j)))
        as (A & B & _); [apply W; lia|apply W; lia|apply C; lia|apply C; lia|].
        pose proof (W (S j) ltac:(lia)); split; [assumption|nra].
Qed.
(** RS-REL-7/L1: ... inside, d_j is at most 3 (h_(j-1) + h_j)/(2 h_j + h_(j-1)) D_(j-1),
    likewise by D_j *)
Theorem REL_7_L1_inside h0 h1 D0 D1 : 0 < h0 -> 0 < h1 -> 0 <= D0 -> 0 <= D1 ->
  interior_slope h0 h1 D0 D1 <= 3 * (h0 + h1) / (2 * h1 + h0) * D0 /\
  interior_slope h0 h1 D0 D1 <= 3 * (h0 + h1) / (h1 + 2 * h0) * D1.
Proof.
  intros P0 P1 N0 N1; destruct (interior_bounds h0 h1 D0 D1 P0 P1 N0 N1) as (_ & A & B); split.
  - setoid_replace (3 * (h0 + h1) / (2 * h1 + h0) * D0) with (3 * (h0 + h1) * D0 / (2 * h1 + h0))
    by (field; lra); apply Qle_shift_div_l; lra.
  - setoid_replace (3 * (h0 + h1) / (h1 + 2 * h0) * D1) with (3 * (h0 + h1) * D1 / (h1 + 2 * h0))
    by (field; lra); apply Qle_shift_div_l; lra.
Qed.
(** RS-REL-7/L2: D_j = 0 implies d_j = d_(j + 1) = 0 *)
Theorem REL_7_L2 l X Y j : rises l X Y -> (j < l)%nat -> chord X Y j == 0 -> slope l X Y j == 0 /\
  slope l X Y (S j) == 0.
Proof. intros H J Z; destruct (REL_7_L1 l X Y j H J); split; lra. Qed.
(** RS-REL-7/L4: where two chords have one slope, so have the points *)
Theorem REL_7_L4 h0 h1 D : 0 < h0 -> 0 < h1 -> 0 <= D -> interior_slope h0 h1 D D == D /\
  end_slope h0 h1 D D == D.
Proof.
  intros P0 P1 N; split.
  - unfold interior_slope; bools; [assert (D == 0) by nra; lra|]; cbv zeta; assert (0 < D) by nra;
    field; repeat split; nra.
  - destruct (REL_7_L5 h0 h1 D D P0 P1 N N) as (_ & _ & -> & _);
    assert (((2 * h0 + h1) * D - h0 * D) / (h0 + h1) == D) as E by (field; lra).
    bools; [rewrite E in *; assert (D == 0) by nra; lra|exact E].
Qed.
(** RS-REL-7/L6: of the scores a s + b the slopes are divided by a *)
Theorem REL_7_L6 a h0 h1 D0 D1 : 0 < a -> 0 < h0 -> 0 < h1 -> 0 <= D0 -> 0 <= D1 ->
  interior_slope (a * h0) (a * h1) (D0 / a) (D1 / a) == interior_slope h0 h1 D0 D1 / a.
Proof.
  intros A P0 P1 N0 N1; assert (D0 / a * (D1 / a) == D0 * D1 / (a * a)) as E by (field; lra).
  assert (0 < a * a) by nra; assert (D0 * D1 / (a * a) * (a * a) == D0 * D1) as F by (field; lra);
  unfold interior_slope; bools.
  - field; lra.
  - exfalso; rewrite E in *; nra.
  - exfalso; rewrite E in *; nra.
  - cbv zeta; destruct (factors_pos D0 D1 N1 ltac:(assumption));
    assert (0 < (2 * h1 + h0) * D1 + (h1 + 2 * h0) * D0) by nra.
    assert ((2 * (a * h1) + a * h0) * a * D1 + (a * h1 + 2 * (a * h0))
    * a * D0 == a * a * ((2 * h1 + h0) * D1 + (h1 + 2 * h0) * D0)) as G by ring.
    field; repeat split; try lra; rewrite G; nra.
Qed.

(** * The Hermite cubic *)

(** RS-REL-8: in an interval of the width h, t = (s - X_j)/h *)
Definition hermite (t h y0 y1 d0 d1 : Q) : Q :=
  let u := 1 - t in
  y0 * (1 + 2 * t) * (u * u) + h * d0 * t * (u * u) + y1 * (t * t) * (3 - 2 * t) - h * d1 * (t * t)
  * u.

Lemma hermite_0 h y0 y1 d0 d1 : hermite 0 h y0 y1 d0 d1 == y0.
Proof. unfold hermite; ring. Qed.
Lemma hermite_1 h y0 y1 d0 d1 : hermite 1 h y0 y1 d0 d1 == y1.
Proof. unfold hermite; ring. Qed.
(** It is affine in the slopes, and at the corners of [0, 3 D]^2 it is one of four cubics,
    none of which falls. *)
Lemma cubes x y : x <= y -> x * x * x <= y * y * y.
Proof. intros H; assert (0 <= (y - x) * (y * y + x * y + x * x)); [apply Qmult_le_0_compat;
  nra|lra]. Qed.
Lemma corner_00 s t : 0 <= s <= t -> t <= 1 -> 3 * (s * s) - 2 * (s * s * s) <= 3 * (t * t)
  - 2 * (t * t * t).
Proof.
  intros H L; assert (0 <= (t - s) * (3 * (s + t) - 2 * (s * s + s * t + t * t))); [|lra].
  apply Qmult_le_0_compat; [lra|nra].
Qed.
Lemma hermite_mix h y0 y1 d0 d1 t a b D : d0 * h == a * D -> d1 * h == b * D -> y1 - y0 == D ->
  hermite t h y0 y1 d0 d1 == y0 + D * ((1 - a / 3) * (1 - b / 3) * (3 * (t * t) - 2 * (t * t * t)) +
    a / 3 * (1 - b / 3) * (1 - (1 - t) * (1 - t) * (1 - t)) + (1 - a / 3) * (b / 3) * (t * t * t) +
    a / 3 * (b / 3) * ((1 + (2 * t - 1) * (2 * t - 1) * (2 * t - 1)) / 2)).
Proof.
  intros A B E; assert (y1 == y0 + D) as Y by lra; unfold hermite; cbv zeta; rewrite Y; clear Y.
  transitivity (y0 + D * (t * t) * (3 - 2 * t) + d0 * h * t * ((1 - t) * (1 - t))
  - d1 * h * (t * t) * (1 - t)); [ring|].
  rewrite A, B; field.
Qed.
(* Slopes from 0 to 3 D make the cubic a mean of the four cubics whose slopes are 0 or 3 D. *)
Lemma hermite_corners h y0 y1 d0 d1 : 0 < h -> let D := (y1 - y0) / h in 0 < D ->
  0 <= d0 <= 3 * D -> 0 <= d1 <= 3 * D -> 0 < y1 - y0 /\ exists p q, 0 <= p <= 1 /\ 0 <= q <= 1 /\
  forall t, hermite t h y0 y1 d0 d1 == y0 + (y1 - y0) *
    ((1 - p) * (1 - q) * (3 * (t * t) - 2 * (t * t * t)) +
    p * (1 - q) * (1 - (1 - t) * (1 - t) * (1 - t)) + (1 - p) * q * (t * t * t) +
    p * q * ((1 + (2 * t - 1) * (2 * t - 1) * (2 * t - 1)) / 2)).
Proof.
  intros P D Q H0 H1; assert (D * h == y1 - y0) as E by (unfold D; field; lra).
  assert (0 < y1 - y0) as Y by nra; split; [exact Y|]; set (a := d0 / D); set (b := d1 / D).
  assert (a * D == d0) as A by (unfold a; field; lra); assert (b * D == d1) as B by (unfold b;
  field; lra).
  assert (0 <= a <= 3) as Ra by (split; apply Qnot_lt_le; intros L; nra);
  assert (0 <= b <= 3) as Rb by (split; apply Qnot_lt_le; intros L; nra).
  assert (d0 * h == a * (y1 - y0)) as A' by (rewrite <- E, <- A; ring);
  assert (d1 * h == b * (y1 - y0)) as B' by (rewrite <- E, <- B; ring).
  exists (a / 3), (b / 3); split; [split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra|].
  split; [split; [apply Qle_shift_div_l|apply Qle_shift_div_r]; lra|].
  intros t; apply hermite_mix; assumption || reflexivity.
Qed.
(** RS-REL-7/L3: if 0 <= d_j, d_(j + 1) <= 3 D_j,
    the Hermite cubic does not fall in the interval *)
Theorem REL_7_L3 h y0 y1 d0 d1 s t : 0 < h -> let D := (y1 - y0) / h in 0 <= d0 <= 3 * D ->
  0 <= d1 <= 3 * D ->
  0 <= s <= t -> t <= 1 -> hermite s h y0 y1 d0 d1 <= hermite t h y0 y1 d0 d1.
Proof.
  intros P D H0 H1 ST T; assert (D * h == y1 - y0) as E by (unfold D; field; lra);
  destruct (Qlt_le_dec 0 D) as [Q|Q].
  - destruct (hermite_corners h y0 y1 d0 d1 P Q H0 H1) as (Y & p & q & Sa & Sb & mix).
    rewrite !mix.
    pose proof (corner_00 s t ST T) as c0; pose proof (cubes s t ltac:(lra)) as c1;
    pose proof (cubes (1 - t) (1 - s) ltac:(lra)) as c2.
    pose proof (cubes (2 * s - 1) (2 * t - 1) ltac:(lra)) as c3.
    apply Qplus_le_r, Qmult_le_l; [assumption|].
    assert (0 <= (1 - p) * (1 - q)) by (apply Qmult_le_0_compat; lra);
    assert (0 <= p * (1 - q)) by (apply Qmult_le_0_compat; lra).
    assert (0 <= (1 - p) * q) by (apply Qmult_le_0_compat; lra);
    assert (0 <= p * q) by (apply Qmult_le_0_compat; lra).
    assert (forall c x y, 0 <= c -> x <= y -> c * x <= c * y) as times by (intros; nra).
    repeat apply Qplus_le_compat; apply times; try assumption; [lra|].
    apply Qle_shift_div_l; [lra|]; setoid_replace ((1 + (2 * s - 1) * (2 * s - 1) * (2 * s - 1))
    / 2 * 2)
      with (1 + (2 * s - 1) * (2 * s - 1) * (2 * s - 1)) by field; lra.
  - assert (d0 == 0) as Z0 by lra; assert (d1 == 0) as Z1 by lra; assert (y1 == y0) as Z by nra.
    unfold hermite; rewrite Z0, Z1, Z; apply Qle_lteq; right; ring.
Qed.

(** RS-REL-8: the interval of s is that of the last X_j <= s *)
Fixpoint interval (X : nat -> Q) (s : Q) j := match j with O => O | S i => if Qle_bool (X j)
  s then j else interval X s i end.
(** RS-REL-8: phi(s); Y_0 below X_0, Y_l from X_l on *)
Definition phi l (X Y : nat -> Q) (s : Q) : Q :=
  let j := interval X s l in
  if negb (Qle_bool (X 0%nat) s) then Y 0%nat
  else if (j =? l)%nat then Y l
  else hermite ((s - X j) / width X j) (width X j) (Y j) (Y (S j)) (slope l X Y j)
  (slope l X Y (S j)).
(** RS-REL-9: phi of control points; 0 without points *)
Definition phi_of points (s : Q) : Q :=
  match distinct points with
  | [] => 0
  | (p :: _) as kept => phi (length kept - 1) (fun j => fst (nth j kept p))
  (fun j => snd (nth j kept p)) s
  end.
Definition relevance by_ S := map (fun s => phi_of (control_points by_ S) s) S.
Definition relevance_of_program by_ S := map (fun s => phi_of (control_points_of_program by_ S) s)
  S.

(** RS-REL-9: the paper's Table 1, and an outlier, by both variants *)
Theorem table_1_of_the_paper :
  map Qred (relevance linear [100; 80; 90; 15; 10]) = [1; 0; 25 # 72; 0; 0] /\
  map Qred (relevance linear [100; 20; 90; 15; 10]) = [1; 0; 3577 # 4608; 0; 0] /\
  map Qred (relevance linear [1; 2; 3; 4; 100]) = [0; 0; 0; 1271 # 180312; 1] /\
  map Qred (relevance_of_program hinges [1; 2; 3; 4; 100]) = [0; 0; 0; 1 # 33; 1].
Proof. repeat split; vm_compute; reflexivity. Qed.
(** RS-REL-6: two distinct scores, and one, by both variants *)
Theorem degenerate_scores :
  map Qred (relevance linear [0; 1; 2; 2; 2]) = [0; 1 # 2; 1; 1; 1] /\
  map Qred (relevance linear [0; 1; 1; 1; 1; 1; 5]) = [0; 1 # 5; 1 # 5; 1 # 5; 1 # 5; 1 # 5; 1] /\
  map Qred (relevance linear [7; 7]) = [1; 1] /\ map Qred (relevance_of_program hinges [0;
  0]) = [0; 0] /\
  map Qred (relevance linear [1; 2; 2]) = [0; 1; 1] /\ map Qred (relevance_of_program hinges [1; 2;
  2]) = [1 # 2; 1; 1].
Proof. repeat split; vm_compute; reflexivity. Qed.

Lemma interval_le X s l : (interval X s l <= l)%nat.
Proof. induction l; cbn; [lia|]; destruct (Qle_bool _ _); lia. Qed.
Lemma interval_from X s l : X 0%nat <= s -> X (interval X s l) <= s.
Proof. intros H; induction l; cbn; [assumption|]; destruct (Qle_bool (X (S l)) s) eqn:E;
  [apply Qle_bool_iff; assumption|assumption]. Qed.
Lemma interval_to X s l j : (interval X s l < j <= l)%nat -> s < X j.
Proof.
  induction l; intros J; [cbn in J; lia|]; cbn in J; destruct (Qle_bool (X (S l)) s) eqn:E; [lia|].
  destruct (Nat.eq_dec j (S l)) as [->|]; [|apply IHl; lia].
  apply Qnot_le_lt; intros B; apply Qle_bool_iff in B; congruence.
Qed.
Lemma X_rises l X Y i j : rises l X Y -> (i <= j <= l)%nat -> X i <= X j.
Proof.
  intros [H _] [I J]; induction I; [lra|]; specialize (H m ltac:(lia));
  specialize (IHI ltac:(lia)); lra.
Qed.
Lemma X_rises_strictly l X Y i j : rises l X Y -> (i < j <= l)%nat -> X i < X j.
Proof.
  intros H [I J]; destruct H as [H H']; specialize (H i ltac:(lia)) as K;
  pose proof (X_rises l X Y (S i) j (conj H H') ltac:(lia)); lra.
Qed.
Lemma Y_rises l X Y i j : rises l X Y -> (i <= j <= l)%nat -> Y i <= Y j.
Proof.
  intros [_ H] [I J]; induction I; [lra|]; specialize (H m ltac:(lia));
  specialize (IHI ltac:(lia)); lra.
Qed.
Lemma interval_at l X Y j : rises l X Y -> (j <= l)%nat -> interval X (X j) l = j.
Proof.
  intros H J; destruct (Nat.lt_trichotomy (interval X (X j) l) j) as [L|[E|L]]; [|assumption|].
  - pose proof (interval_to X (X j) l j ltac:(lia)); lra.
  - pose proof (interval_le X (X j) l); pose proof (X_rises_strictly l X Y j _ H (conj L
    (interval_le X (X j) l))).
    pose proof (interval_from X (X j) l (X_rises l X Y 0 j H ltac:(lia))); lra.
Qed.
(** RS-REL-8/L1: phi(X_j) = Y_j *)
Theorem REL_8_L1 l X Y j : rises l X Y -> (j <= l)%nat -> phi l X Y (X j) == Y j.
Proof.
  intros H J; unfold phi; rewrite (interval_at l X Y j H J); cbv zeta.
  assert (Qle_bool (X 0%nat) (X j) = true) as -> by (apply Qle_bool_iff, (X_rises l X Y);
  [assumption|lia]).
  cbn [negb]; destruct (Nat.eqb_spec j l) as [->|N]; [reflexivity|].
  assert ((X j - X j) / width X j == 0) as E by (pose proof (width_pos l X Y j H ltac:(lia));
  field; lra).
  rewrite <- (hermite_0 (width X j) (Y j) (Y (S j)) (slope l X Y j) (slope l X Y (S j))) at 2.
  unfold hermite; rewrite E; reflexivity.
Qed.
(** The two ends of an interval *)
Lemma in_interval l X Y s : rises l X Y -> X 0%nat <= s -> (interval X s l < l)%nat ->
  let j := interval X s l in let t := (s - X j) / width X j in
  0 <= t < 1 /\ Y j <= hermite t (width X j) (Y j) (Y (S j)) (slope l X Y j) (slope l X Y (S j))
  <= Y (S j).
Proof.
  intros H L I j t; pose proof (width_pos l X Y j H I) as W;
  pose proof (interval_from X s l L) as A; fold j in A.
  pose proof (interval_to X s l (S j) ltac:(unfold j; lia)) as B.
  assert (t * width X j == s - X j) as T by (unfold t; field; lra); assert (0 <= t < 1) as R.
  { unfold width in *; split; [apply Qnot_lt_le; intros C; nra|apply Qnot_le_lt; intros C; nra]. }
  destruct (REL_7_L1 l X Y j H I) as [S0 S1]; split; [assumption|]; unfold chord in S0, S1; split.
  - apply Qle_trans with (hermite 0 (width X j) (Y j) (Y (S j)) (slope l X Y j)
    (slope l X Y (S j))).
    + rewrite hermite_0; lra.
    + apply REL_7_L3; assumption || lra.
  - apply Qle_trans with (hermite 1 (width X j) (Y j) (Y (S j)) (slope l X Y j)
    (slope l X Y (S j))).
    + apply REL_7_L3; assumption || lra.
    + rewrite hermite_1; lra.
Qed.
(** RS-REL-8/L2: s <= s' implies phi(s) <= phi(s') *)
Theorem REL_8_L2 l X Y s s' : rises l X Y -> s <= s' -> phi l X Y s <= phi l X Y s'.
Proof.
  intros H L; unfold phi; cbv zeta; destruct (Qle_bool (X 0%nat) s) eqn:A; cbn [negb].
  - apply Qle_bool_iff in A; assert (Qle_bool (X 0%nat) s' = true) as -> by (apply Qle_bool_iff;
    lra); cbn [negb].
    set (i := interval X s l); set (j := interval X s' l);
    assert (i <= l)%nat by apply interval_le; assert (j <= l)%nat by apply interval_le.
    assert (i <= j)%nat as IJ.
    { destruct (Nat.le_gt_cases i j) as [|G]; [assumption|exfalso];
      pose proof (interval_to X s' l i ltac:(fold j; lia)).
      pose proof (interval_from X s l A) as B; fold i in B; lra. }
    destruct (Nat.eqb_spec i l) as [Ei|Ni]; destruct (Nat.eqb_spec j l) as [Ej|Nj]; try lia;
    [lra| |].
    + destruct (in_interval l X Y s H A ltac:(fold i; lia)) as [_ [_ U]]; fold i in U;
      eapply Qle_trans; [exact U|apply (Y_rises l X Y); [assumption|lia]].
    + destruct (in_interval l X Y s H A ltac:(fold i; lia)) as [Ri [_ U]];
      destruct (in_interval l X Y s' H ltac:(lra) ltac:(fold j; lia)) as [Rj [V _]];
      fold i in Ri, U; fold j in Rj, V.
      destruct (Nat.eq_dec i j) as [E|N].
      * rewrite <- E in *; destruct (REL_7_L1 l X Y i H ltac:(lia)) as [S0 S1];
        unfold chord in S0, S1; pose proof (width_pos l X Y i H ltac:(lia)) as W.
        apply REL_7_L3; try assumption; try lra; split; [lra|]; apply Qle_shift_div_l;
        [assumption|].
        setoid_replace ((s - X i) / width X i * width X i) with (s - X i) by (field; lra); lra.
      * eapply Qle_trans; [exact U|]; eapply Qle_trans; [|exact V]; apply (Y_rises l X Y);
        [assumption|lia].
  - destruct (Qle_bool (X 0%nat) s') eqn:B; cbn [negb]; [|lra]; apply Qle_bool_iff in B;
    pose proof (interval_le X s' l).
    destruct (Nat.eqb_spec (interval X s' l) l); [apply (Y_rises l X Y); [assumption|lia]|].
    destruct (in_interval l X Y s' H B ltac:(lia)) as [_ [V _]]; eapply Qle_trans; [|exact V];
    apply (Y_rises l X Y); [assumption|lia].
Qed.
(** RS-REL-8/L3: Y_0 <= phi(s) <= Y_l *)
Theorem REL_8_L3 l X Y s : rises l X Y -> Y 0%nat <= phi l X Y s <= Y l.
Proof.
  intros H; pose proof (Y_rises l X Y 0 l H ltac:(lia)); unfold phi; cbv zeta;
  destruct (Qle_bool (X 0%nat) s) eqn:A; cbn [negb]; [|lra].
  apply Qle_bool_iff in A; pose proof (interval_le X s l);
  destruct (Nat.eqb_spec (interval X s l) l); [lra|].
  destruct (in_interval l X Y s H A ltac:(lia)) as [_ [U V]];
  pose proof (Y_rises l X Y 0 (interval X s l) H ltac:(lia)).
  pose proof (Y_rises l X Y (S (interval X s l)) l H ltac:(lia)); lra.
Qed.
(** RS-REL-8/L4: between med and max, without an outlier, phi = t - t (1 - t) (1 - (2 - c)
    t), c = (2 h1 + h0)/(h1 + h0) *)
Theorem REL_8_L4 h0 h1 t : 0 < h0 -> 0 < h1 -> let c := (2 * h1 + h0) / (h1 + h0) in
  1 <= c <= 2 /\ end_slope h1 h0 (1 / h1) 0 * h1 == c /\ interior_slope h0 h1 0 (1 / h1) == 0 /\
  hermite t h1 0 1 0 (c / h1) == t - t * (1 - t) * (1 - (2 - c) * t).
Proof.
  intros P0 P1 c; assert (c * (h1 + h0) == 2 * h1 + h0) as E by (unfold c; field; lra);
  assert (0 < 1 / h1) as D by (apply Qlt_shift_div_l; lra).
  split; [split|split; [|split; [reflexivity|]]].
  - apply Qnot_lt_le; intros L; nra.
  - apply Qnot_lt_le; intros L; nra.
  - destruct (REL_7_L5 h1 h0 (1 / h1) 0) as (_ & _ & -> & _); try lra.
    assert (((2 * h1 + h0) * (1 / h1) - h1 * 0) / (h1 + h0) == c / h1) as F by (unfold c; field;
    lra).
    assert (0 < c / h1) by (apply Qlt_shift_div_l; [assumption|]; nra); bools; [rewrite F in *;
    nra|rewrite F; field; lra].
  - unfold hermite; cbv zeta; field; lra.
Qed.

(** * From scores to relevances *)

Lemma insert_in x l y : In y (insert x l) <-> y = x \/ In y l.
Proof. induction l as [|z l IH]; cbn; [intuition congruence|]; destruct (Qle_bool x z); cbn;
  [intuition congruence|rewrite IH; intuition congruence]. Qed.
Lemma insert_length x l : length (insert x l) = S (length l).
Proof. induction l as [|z l IH]; cbn; [reflexivity|]; destruct (Qle_bool x z); cbn;
  [reflexivity|rewrite IH; reflexivity]. Qed.
Lemma rising_length S : length (rising S) = length S.
Proof. induction S; cbn; [reflexivity|rewrite insert_length, IHS; reflexivity]. Qed.
Definition sorted (x : list Q) := forall i j, (i <= j < length x)%nat -> nth i x 0 <= nth j x 0.
Lemma sorted_cons y l : sorted l -> (forall z, In z l -> y <= z) -> sorted (y :: l).
Proof.
  intros H L [|i] [|j] I; cbn in *; try lia; try apply Qle_refl; [apply L, nth_In; lia|apply H;
  lia].
Qed.
Lemma rising_sorted S : sorted (rising S).
Proof.
  induction S as [|x S IH]; cbn; [intros i j I; cbn in I; lia|]; generalize dependent (rising S);
  intros l H.
  induction l as [|y l IHl]; cbn; [apply sorted_cons; [intros i j I; cbn in I; lia|intros z []]|].
  assert (forall z, In z l -> y <= z) as Y.
  { intros z Z; apply In_nth with (d := 0) in Z; destruct Z as (i & I & <-);
    apply (H 0%nat (Datatypes.S i)); cbn; lia. }
  assert (sorted l) as Hl by (intros i j I; apply (H (Datatypes.S i) (Datatypes.S j)); cbn; lia).
  destruct (Qle_bool x y) eqn:E.
  - apply Qle_bool_iff in E; apply sorted_cons; [assumption|]; intros z [<-|Z];
    [assumption|specialize (Y z Z); lra].
  - assert (y <= x) by (apply Qlt_le_weak, Qnot_le_lt; intros B; apply Qle_bool_iff in B;
    congruence).
    apply sorted_cons; [apply IHl; assumption|]; intros z Z; apply insert_in in Z;
    destruct Z as [->|Z]; auto.
Qed.
Lemma score_rises x i j : sorted x -> (1 <= i)%Z -> (i <= j)%Z -> (j <= Z.of_nat (length x))%Z ->
  score x i <= score x j.
Proof. intros H I J L; apply H; lia. Qed.

Definition clamp (n q : Q) := if Qle_bool q 1 then 1 else if Qle_bool n q then n else q.
Definition between x (q : Q) := let j := Qfloor q in score x j + (q - inject_Z j)
  * (score x (j + 1) - score x j).

Lemma floor_of q : inject_Z (Qfloor q) <= q < inject_Z (Qfloor q + 1).
Proof. split; [apply Qfloor_le|apply Qlt_floor]. Qed.
Lemma between_rises x q q' : sorted x -> 1 <= q -> q <= q' -> q' <= inject_Z (Z.of_nat (length x))
  -> between x q <= between x q'.
Proof.
  intros H A B C; unfold between; cbv zeta; set (j := Qfloor q); set (j' := Qfloor q').
  pose proof (floor_of q) as F; pose proof (floor_of q') as F'; fold j in F; fold j' in F'.
  assert (1 <= j)%Z as J by (change 1%Z with (Qfloor 1); apply Qfloor_resp_le; assumption).
  assert (j <= j')%Z as JJ by (apply Qfloor_resp_le; assumption).
  assert (j' <= Z.of_nat (length x))%Z as L by (rewrite <- (Qfloor_Z (Z.of_nat (length x)));
  apply Qfloor_resp_le; assumption).
  assert (forall i (r : Q), (1 <= i)%Z -> inject_Z i <= r -> r < inject_Z (i + 1) ->
  r <= inject_Z (Z.of_nat (length x)) -> (i <= Z.of_nat (length x))%Z ->
    score x i <= score x i + (r - inject_Z i) * (score x (i + 1) - score x i) /\
    ((i < Z.of_nat (length x))%Z -> score x i + (r - inject_Z i) * (score x (i + 1) - score x i)
    <= score x (i + 1))) as ends.
  { intros i r I R1 R2 R3 R4; rewrite inject_Z_plus in R2; change (inject_Z 1) with 1 in R2;
    destruct (Z.eq_dec i (Z.of_nat (length x))) as [E|E].
    - rewrite <- E in R3; assert (r - inject_Z i == 0) as Z0 by lra; split; [rewrite Z0; lra|lia].
    - pose proof (score_rises x i (i + 1) H ltac:(lia) ltac:(lia) ltac:(lia)); split;
      [nra|intros _; nra]. }
  destruct (ends j' q' ltac:(lia) (proj1 F') (proj2 F') C L) as [E1 _];
  destruct (Z.eq_dec j j') as [E|E].
  - rewrite <- E in *; destruct (Z.eq_dec j (Z.of_nat (length x))) as [E2|E2].
    + assert (q == q') as Q by (rewrite E2 in F; lra); rewrite Q; apply Qle_refl.
    + pose proof (score_rises x j (j + 1) H ltac:(lia) ltac:(lia) ltac:(lia)); nra.
  - destruct (ends j q ltac:(lia) (proj1 F) (proj2 F) ltac:(lra) ltac:(lia)) as [_ E2];
    specialize (E2 ltac:(lia)).
    pose proof (score_rises x (j + 1) j' H ltac:(lia) ltac:(lia) ltac:(lia)); lra.
Qed.
Lemma quantile_rises x p p' : sorted x -> (1 <= length x)%nat -> p <= p' ->
  quantile x p <= quantile x p'.
Proof.
  intros H N P; change (between x (clamp (inject_Z (Z.of_nat (length x))) p)
  <= between x (clamp (inject_Z (Z.of_nat (length x))) p')).
  assert (1 <= inject_Z (Z.of_nat (length x))) as L by (change 1 with (inject_Z 1);
  rewrite <- Zle_Qle; lia).
  apply between_rises; [assumption|..]; unfold clamp; bools; lra.
Qed.
Lemma quantile_ends x p : sorted x -> (1 <= length x)%nat ->
  score x 1 <= quantile x p <= score x (Z.of_nat (length x)).
Proof.
  intros H N; assert (1 <= inject_Z (Z.of_nat (length x))) as L by (change 1 with (inject_Z 1);
  rewrite <- Zle_Qle; lia).
  assert (forall i, between x (inject_Z i) == score x i) as at_ by (intro i; unfold between;
  cbv zeta; rewrite Qfloor_Z; ring).
  change (quantile x p) with (between x (clamp (inject_Z (Z.of_nat (length x))) p)); split.
  - rewrite <- (at_ 1%Z); apply between_rises; [assumption|apply Qle_refl| |]; unfold clamp; bools;
    change (inject_Z 1) with 1; lra.
  - rewrite <- (at_ (Z.of_nat (length x))); apply between_rises; [assumption| | |apply Qle_refl];
    unfold clamp; bools; lra.
Qed.
(** RS-REL-1/L2: min <= Q(1/4) <= Q(1/2) <= Q(3/4) <= max *)
Theorem REL_1_L2 by_ S : S <> [] -> let x := rising S in
  score x 1 <= quartile_1 by_ x /\ quartile_1 by_ x <= median x /\ median x <= quartile_3 by_ x /\
  quartile_3 by_ x <= score x (Z.of_nat (length x)).
Proof.
  intros N x; pose proof (rising_sorted S) as H; fold x in H;
  assert (1 <= length x)%nat as L by (unfold x; rewrite rising_length; destruct S;
  [contradiction|cbn; lia]).
  assert (1 <= inject_Z (Z.of_nat (length x))) as M by (change 1 with (inject_Z 1);
  rewrite <- Zle_Qle; lia); set (n := Z.of_nat (length x)) in *.
  assert (position_1 by_ n <= position_2 n) as P.
  { unfold position_1, position_2, Qdiv; change (/ 4) with (1 # 4); change (/ 2) with (1 # 2);
    destruct by_; try lra.
    pose proof (Qfloor_le ((inject_Z n + 3) * (1 # 2))); lra. }
  assert (position_2 n <= position_3 by_ n) as P'.
  { rewrite REL_1_L4; assert (position_2 n == (inject_Z n + 1) - position_2 n)
    as E by (unfold position_2; field); lra. }
  repeat split; [apply quantile_ends|apply quantile_rises|apply quantile_rises|apply
  quantile_ends]; assumption.
Qed.

(** From point to point neither score nor relevance falls *)
Fixpoint in_order (points : list (Q * Q)) :=
  match points with p :: (q :: _) as rest => fst p <= fst q /\ snd p <= snd q /\
  in_order rest | _ => True end.

(** RS-REL-4/L1: min <= med <= W < max and 0 <= 1 - alpha < 1: from point to point neither score
    nor relevance falls *)
Theorem REL_4_L1 by_ S : in_order (control_points by_ S) /\ Forall (fun p => 0 <= snd p <= 1)
  (control_points by_ S).
Proof.
  unfold control_points, points_of_sorted; destruct S as [|s S]; [cbn; auto|].
  destruct (REL_1_L2 by_ (s :: S) ltac:(discriminate)) as (A & B & C & D);
  set (x := rising (s :: S)) in *.
  assert (length x = Datatypes.S (length S)) as L by (unfold x; rewrite rising_length; reflexivity).
  destruct x as [|low x'] eqn:Ex; [discriminate|]; assert (low = score x 1) as -> by (rewrite Ex;
  reflexivity); rewrite <- Ex in *; clear Ex.
  set (W := whisker (quartile_1 by_ x) (quartile_3 by_ x));
  pose proof (REL_2_L1 (quartile_1 by_ x) (quartile_3 by_ x) ltac:(lra)) as E; fold W in E.
  destruct (Qle_bool (score x (Z.of_nat (length x))) W) eqn:F; cbn [app in_order fst snd].
  - split; [repeat split; lra|repeat (apply Forall_cons; [cbn [snd]; split; lra|]);
    apply Forall_nil].
  - assert (W < score x (Z.of_nat (length x))) as G by (apply Qnot_le_lt; intros K;
    apply Qle_bool_iff in K; congruence).
    destruct (REL_3_L1 (score x 1) W (score x (Z.of_nat (length x))) ltac:(lra)) as [[P Q] _].
    split; [repeat split; lra|repeat (apply Forall_cons; [cbn [snd]; split; lra|]);
    apply Forall_nil].
Qed.

(** What is left of points in order rises strictly. *)
Lemma distinct_first p points : exists y, exists rest, distinct (p :: points) = (fst p, y)
  :: rest \/
  (exists q, distinct (p :: points) = q :: rest /\ fst q == fst p).
Proof.
  revert p; induction points as [|q points IH]; intro p; [exists (snd p), []; left; cbn;
  destruct p; reflexivity|].
  cbn; destruct (Qeq_bool (fst p) (fst q)) eqn:E; [|exists (snd p); eexists; left; destruct p;
  reflexivity].
  apply Qeq_bool_iff in E; destruct (IH q) as (y & rest & [H|(r & H & R)]).
  - exists y, rest; right; exists (fst q, y); split; [exact H|cbn; lra].
  - exists y, rest; right; exists r; split; [exact H|lra].
Qed.
Fixpoint rises_strictly (points : list (Q * Q)) :=
  match points with p :: (q :: _) as rest => fst p < fst q /\ snd p <= snd q /\
  rises_strictly rest | _ => True end.
Lemma distinct_rises points : in_order points -> rises_strictly (distinct points) /\
  match points, distinct points with [], k => k = [] | p :: _, q :: _ => fst q == fst p /\
  snd p <= snd q | _, [] => False end.
Proof.
  induction points as [|p points IH]; [cbn; auto|]; destruct points as [|q points]; [cbn; intros _;
  split; [auto|split; lra]|].
  intros (A & B & H); destruct (IH H) as [R F]; clear IH; change (distinct (p :: q :: points)) with
    (if Qeq_bool (fst p) (fst q) then distinct (q :: points) else p :: distinct (q :: points)).
  destruct (distinct (q :: points)) as [|r rest] eqn:D; [contradiction|]; destruct F as [F G];
  destruct (Qeq_bool (fst p) (fst q)) eqn:E.
  - apply Qeq_bool_iff in E; split; [assumption|split; lra].
  - assert (~ fst p == fst q) as N by (intros K; apply Qeq_bool_iff in K; congruence); split;
    [|split; lra].
    change (fst p < fst r /\ snd p <= snd r /\ rises_strictly (r :: rest)); split; [|split;
    [lra|assumption]].
    apply Qnot_le_lt; intros K; apply N; lra.
Qed.
Lemma rises_of_points p points : rises_strictly (p :: points) ->
  rises (length points) (fun j => fst (nth j (p :: points) p)) (fun j => snd (nth j (p :: points)
  p)).
Proof.
  intros H; assert (forall q j, (j < length points)%nat -> fst (nth j (p :: points) q)
  < fst (nth (S j) (p :: points) q) /\
    snd (nth j (p :: points) q) <= snd (nth (S j) (p :: points) q)) as X.
  { intro q; revert p H; induction points as [|r points IH]; intros p H j J; [cbn in J; lia|];
    destruct H as (A & B & H).
    destruct j as [|j]; [cbn; auto|]; apply (IH r H j); cbn in J; lia. }
  split; intros j J; apply (X p j J).
Qed.
Lemma distinct_in points y : In y (distinct points) -> In y points.
Proof.
  induction points as [|p points IH]; [auto|]; destruct points as [|q points]; [auto|].
  change (distinct (p :: q :: points)) with (if Qeq_bool (fst p) (fst q)
  then distinct (q :: points) else p :: distinct (q :: points)).
  destruct (Qeq_bool (fst p) (fst q)); [intros I; right; apply IH, I|intros [I|I]; [left;
  exact I|right; apply IH, I]].
Qed.
(** RS-REL-9/L1: a higher score never has less relevance, and relevances are from 0 to 1 *)
Theorem REL_9_L1 points : in_order points -> Forall (fun p => 0 <= snd p <= 1) points ->
  (forall s t, s <= t -> phi_of points s <= phi_of points t) /\ forall s, 0 <= phi_of points s /\
  phi_of points s <= 1.
Proof.
  intros O B; destruct (distinct_rises points O) as [R _]; pose proof (distinct_in points) as I;
  unfold phi_of; destruct (distinct points) as [|p kept]; [split; intros; lra|].
  cbn [length]; rewrite Nat.sub_succ, Nat.sub_0_r; pose proof (rises_of_points p kept R) as H;
  split; intros.
  - apply REL_8_L2; assumption.
  - pose proof (REL_8_L3 _ _ _ s H) as [U V]; rewrite Forall_forall in B.
    assert (forall j, In (nth j (p :: kept) p) points) as J by (intro j; apply I;
    destruct (nth_in_or_default j (p :: kept) p) as [K|K]; [exact K|rewrite K; left; reflexivity]).
    pose proof (B _ (J 0%nat)); pose proof (B _ (J (length kept))); lra.
Qed.
(** RS-REL-9/L1: ... so, by the text, phi of any scores is a relevance *)
Corollary REL_9_L1_text by_ S : (forall s t, s <= t -> phi_of (control_points by_ S)
  s <= phi_of (control_points by_ S) t) /\
  forall s, 0 <= phi_of (control_points by_ S) s /\ phi_of (control_points by_ S) s <= 1.
Proof. destruct (REL_4_L1 by_ S); apply REL_9_L1; assumption. Qed.
Lemma nth_of_last {A} (l : list A) q d : nth (length l) (q :: l) d = last (q :: l) d.
Proof. revert q; induction l as [|r l IH]; intro q; [reflexivity|]; exact (IH r). Qed.
Lemma last_default {A} (l : list A) p a b : last (p :: l) a = last (p :: l) b.
Proof. revert p; induction l as [|q l IH]; intro p; [reflexivity|exact (IH q)]. Qed.
Lemma distinct_last points d : last (distinct points) d = last points d.
Proof.
  induction points as [|p points IH]; [reflexivity|]; destruct points as [|q points];
  [reflexivity|].
  change (distinct (p :: q :: points)) with (if Qeq_bool (fst p) (fst q)
  then distinct (q :: points) else p :: distinct (q :: points)).
  change (last (p :: q :: points) d) with (last (q :: points) d);
  destruct (Qeq_bool (fst p) (fst q)); [exact IH|]; rewrite <- IH.
  destruct (distinct (q :: points)) eqn:E; [|reflexivity].
  exfalso; clear - E; revert q E; induction points as [|r points IHp]; intros q E;
  [discriminate E|].
  change (distinct (q :: r :: points)) with (if Qeq_bool (fst q) (fst r)
  then distinct (r :: points) else q :: distinct (r :: points)) in E.
  destruct (Qeq_bool (fst q) (fst r)); [apply (IHp r E)|discriminate E].
Qed.
Lemma phi_of_last points d : in_order points -> distinct points <> [] ->
  phi_of points (fst (last points d)) == snd (last points d).
Proof.
  intros O N; destruct (distinct_rises points O) as [R _]; rewrite <- (distinct_last points d);
  unfold phi_of; destruct (distinct points) as [|p kept]; [contradiction|].
  pose proof (rises_of_points p kept R) as H; cbn [length]; rewrite Nat.sub_succ, Nat.sub_0_r.
  pose proof (REL_8_L1 _ _ _ (length kept) H (Nat.le_refl _)) as E; cbv beta in E;
  rewrite (nth_of_last kept p p) in E.
  rewrite (last_default kept p d p); exact E.
Qed.
(** RS-REL-9/L1: ... by the text the highest score has 1 *)
Theorem REL_9_L1_highest by_ S : S <> [] -> phi_of (control_points by_ S) (score (rising S)
  (Z.of_nat (length S))) == 1.
Proof.
  intros N; destruct (REL_4_L1 by_ S) as [O _]; set (high := score (rising S)
  (Z.of_nat (length S))).
  assert (exists front, control_points by_ S = front ++ [(high, 1)]) as (front & E).
  { unfold control_points, points_of_sorted; rewrite rising_length; fold high;
    destruct (rising S) as [|low x] eqn:Ex.
    - exfalso; apply N; apply (f_equal (@length Q)) in Ex; rewrite rising_length in Ex; destruct S;
      [reflexivity|discriminate].
    - eexists ((low, 0) :: (median (low :: x), 0) :: _); cbn [app]; reflexivity. }
  assert (last (control_points by_ S) (0, 0) = (high, 1)) as L by (rewrite E; apply last_last).
  pose proof (phi_of_last (control_points by_ S) (0, 0) O) as P; rewrite L in P; apply P;
  rewrite E; intros Z.
  pose proof (distinct_last (front ++ [(high, 1)]) (high + 1, 0)) as D; rewrite Z, last_last in D;
  cbn in D; injection D as D1 D2; discriminate D2.
Qed.
(** RS-REL-9/L4: by the program a score of 0 or less changes the relevance of
    no other item *)
Theorem REL_9_L4 by_ S s : s <= 0 -> forall t, phi_of (control_points_of_program by_ (s :: S))
  t = phi_of (control_points_of_program by_ S) t.
Proof. intros H t; rewrite REL_5_L2 by assumption; reflexivity. Qed.

(** * Gains and DCG of relevances *)
Require Import Lra Sorted.
Close Scope Q_scope.
Open Scope R_scope.

(** RS-REL-10: g = 2^phi - 1 *)
Definition gain_phi (y : Q) : R := exp2 (Q2R y).

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma gain_phi_le x y : (x <= y)%Q -> gain_phi x <= gain_phi y.
Proof.
  intros H; apply Qle_Rle in H; unfold gain_phi; destruct H as [H|H]; [apply Rlt_le, GAIN_2_L1;
  assumption|rewrite H; lra].
Qed.
(** RS-REL-10/L1: g rises with phi, from 0 to 1 *)
Theorem REL_10_L1 x y : (0 <= x)%Q -> (x < y)%Q -> (y <= 1)%Q -> 0 <= gain_phi x < gain_phi y /\
  gain_phi y <= 1.
Proof.
  intros A B C; repeat split.
  - apply Qle_Rle in A; rewrite Q2R_0 in A; apply Rle_trans with (gain_phi 0); [unfold gain_phi;
    rewrite Q2R_0, exp2_0; lra|].
    apply gain_phi_le, Rle_Qle; rewrite Q2R_0; assumption.
  - apply Qlt_Rlt in B; apply GAIN_2_L1; assumption.
  - apply Rle_trans with (gain_phi 1); [apply gain_phi_le; assumption|unfold gain_phi;
    rewrite Q2R_1, exp2_1; lra].
Qed.
(** RS-REL-10/L2: phi ln 2 <= g <= phi *)
Theorem REL_10_L2 x : 0 <= x <= 1 -> x * ln 2 <= exp2 x <= x.
Proof.
  intros H; pose proof (ln_pos 2 ltac:(lra)); assert (forall y, 1 + y <= exp y) as tangent.
  { intro y; destruct (Req_dec y 0) as [->|]; [rewrite exp_0; lra|apply Rlt_le, exp_ineq1;
    assumption]. }
  unfold exp2, Rpower; split; [pose proof (tangent (x * ln 2)); lra|].
  pose proof (tangent (- (x * ln 2))) as A; pose proof (tangent (ln 2 - x * ln 2)) as B.
  pose proof (exp_pos (x * ln 2)); set (e := exp (x * ln 2)) in *.
  rewrite exp_Ropp in A; unfold Rminus in B; rewrite exp_plus, exp_ln, exp_Ropp in B by lra;
  fold e in A, B.
  apply (Rmult_le_compat_l e) in A, B; try lra.
  replace (e * / e) with 1 in A by (field; lra); replace (e * (2 * / e)) with 2 in B by (field;
  lra).
  apply (Rmult_le_compat_l (1 - x)) in A; [|lra]; apply (Rmult_le_compat_l x) in B; lra.
Qed.

(** What RS-REL-8 says of phi *)
Definition is_relevance (f : Q -> Q) := (forall s t, (s <= t)%Q -> (f s <= f t)%Q) /\ forall s,
  (0 <= f s)%Q /\ (f s <= 1)%Q.

(** RS-REL-11: DCG@k of the gains 2^phi(r(i)) - 1; f is phi of the pool *)
Definition dcg_phi k d (f : Q -> Q) r := dcg k d (map (fun s => gain_phi (f s)) r).

(** RS-REL-11/L1: it is DCG@k of the relevances as labels, with the gain 2^r - 1 *)
Theorem REL_11_L1 k d f r : dcg_phi k d f r = dcg k d (map exp2 (map (fun s => Q2R (f s)) r)).
Proof. unfold dcg_phi; rewrite map_map; reflexivity. Qed.
Lemma gain_phi_range f s : is_relevance f -> 0 <= gain_phi (f s) <= 1.
Proof.
  intros [_ H]; destruct (H s) as [A B]; apply gain_phi_le in A, B; unfold gain_phi at 1 in A;
  unfold gain_phi at 2 in B.
  rewrite Q2R_0, exp2_0 in A; rewrite Q2R_1, exp2_1 in B; lra.
Qed.
(** RS-REL-11/L2: 0 <= DCG_phi@k <= d(1) + ... + d(min(k, n)) *)
Theorem REL_11_L2 k d f r : is_relevance f -> nonneg d ->
  0 <= dcg_phi k d f r <= sum_to d (Nat.min k (length r)).
Proof.
  intros H N; unfold dcg_phi; split.
  - apply dcg_nonneg; [assumption|]; apply Forall_map, Forall_forall; intros; apply gain_phi_range;
    assumption.
  - unfold dcg; rewrite map_length; apply sum_to_le; intros i I; pose proof (N i ltac:(lia)).
    assert (at_rank (map (fun s => gain_phi (f s)) r) i <= 1); [|nra]; unfold at_rank.
    destruct (nth_in_or_default (i - 1) (map (fun s => gain_phi (f s)) r) 0) as [E|E]; [|rewrite E;
    lra].
    apply in_map_iff in E; destruct E as (s & <- & _); apply gain_phi_range; assumption.
Qed.
(** RS-REL-11/L3: with the pool fixed, moving a higher score up, or raising a score,
    never lowers it *)
Theorem REL_11_L3 k d f a x b y c : is_relevance f -> falls d -> nonneg d -> (x <= y)%Q ->
  dcg_phi k d f (a ++ x :: b ++ y :: c) <= dcg_phi k d f (a ++ y :: b ++ x :: c) /\
  dcg_phi k d f (a ++ x :: b) <= dcg_phi k d f (a ++ y :: b).
Proof.
  intros [M _] F N L; assert (gain_phi (f x) <= gain_phi (f y)) by (apply gain_phi_le, M, L).
  unfold dcg_phi; repeat (rewrite !map_app || cbn [map]); split;
  [apply DCG_2_L2_up|apply DCG_2_L3_up]; assumption.
Qed.

(** RS-REL-12: DCG_phi@k of the list over that of the pool, best first *)
Definition ndcg_phi k d (f : Q -> Q) r S := ndcg k d (map (fun s => gain_phi (f s)) r)
  (map (fun s => gain_phi (f s)) S).

(** RS-REL-12/L1: 0 <= nDCG_phi@k <= 1 where J covers r *)
Theorem REL_12_L1 k d f r S : is_relevance f -> falls d -> nonneg d ->
  covers (map (fun s => gain_phi (f s)) S) (map (fun s => gain_phi (f s)) r) ->
  0 <= ndcg_phi k d f r S <= 1.
Proof.
  intros H F N C; apply DCG_6_L1; [assumption|assumption| |assumption].
  apply Forall_map, Forall_forall; intros; apply gain_phi_range; assumption.
Qed.
(** RS-REL-12/L2: the scores of the pool in falling order have 1, if the divisor is not 0 *)
Theorem REL_12_L2 k d f p S : is_relevance f -> Permutation S p ->
  StronglySorted (fun s t => (t <= s)%Q) p ->
  let J := map (fun s => gain_phi (f s)) S in 0 < idcg k d J ->
  ndcg_phi k d f p S = 1 /\ dcg_phi k d f p = idcg k d J.
Proof.
  intros [M _] P T J I; assert (dcg_phi k d f p = idcg k d J) as E.
  { unfold dcg_phi, J; rewrite (idcg_perm k d _ _ (Permutation_map (fun s => gain_phi (f s)) P));
    unfold idcg, ideal.
    rewrite best_sorted; [reflexivity|]; clear - M T; induction T as [|x l T IH A]; cbn;
    [constructor|]; constructor; [assumption|].
    apply Forall_map; eapply Forall_impl; [|exact A]; cbn; intros y L;
    apply Rle_ge, gain_phi_le, M, L. }
  split; [|exact E]; unfold ndcg_phi, ndcg, ndcg_by, quotient; fold J; destruct (Rlt_dec _ _);
  [|contradiction].
  rewrite <- E; unfold dcg_phi; rewrite <- E in I; unfold dcg_phi in I; field; lra.
Qed.
