(* What the scores of a pool make of relevances: the laws of quartiles, control points and phi of
  spec/relevance.md. *)
Require Import Reals Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg.
Require Import QArith Qround Qreals Qminmax Lqa.
From Rankspec Require Import Relevance.
Import ListNotations.
Open Scope Q_scope.

(** * Quantiles *)

Lemma quantile_between x p : quantile x p = between x (clamp (inject_Z (Z.of_nat (length x))) p).
Proof. reflexivity. Qed.
Lemma floor_is q j : inject_Z j <= q -> q < inject_Z (j + 1) -> Qfloor q = j.
Proof.
  intros A B; destruct (floor_of q) as [C D].
  assert (Qfloor q < j + 1)%Z by (rewrite Zlt_Qlt; lra).
  assert (j < Qfloor q + 1)%Z by (rewrite Zlt_Qlt; lra); lia.
Qed.
Lemma between_at x q j : inject_Z j <= q -> q < inject_Z (j + 1) ->
  between x q == score x j + (q - inject_Z j) * (score x (j + 1) - score x j).
Proof. intros A B; unfold between; cbv zeta; rewrite (floor_is q j A B); reflexivity. Qed.
#[global] Instance between_comp x : Proper (Qeq ==> Qeq) (between x).
Proof. intros p q E; unfold between; cbv zeta; rewrite (Qfloor_comp p q E), E; reflexivity. Qed.
#[global] Instance clamp_comp n : Proper (Qeq ==> Qeq) (clamp n).
Proof. intros p q E; unfold clamp; bools; try lra; exfalso; rewrite E in *; lra. Qed.
#[global] Instance quantile_comp x : Proper (Qeq ==> Qeq) (quantile x).
Proof. intros p q E; rewrite !quantile_between, E; reflexivity. Qed.
Lemma clamp_range n p : 1 <= n -> 1 <= clamp n p /\ clamp n p <= n.
Proof. intros N; unfold clamp; bools; split; lra. Qed.
Lemma clamp_inside n p : 1 <= p -> p <= n -> clamp n p == p.
Proof. intros A B; unfold clamp; bools; lra. Qed.
Lemma length_ge_1 {A} (x : list A) : (1 <= length x)%nat -> 1 <= inject_Z (Z.of_nat (length x)).
Proof. intros; change 1 with (inject_Z 1); rewrite <- Zle_Qle; lia. Qed.

(** The number of scores *)
Definition size {A} (x : list A) := Z.of_nat (length x).

(** RS-REL-1/L1: Q(1/2) is the middle score, or the mean of the middle two *)
Theorem REL_1_L1 x m : (length x = (2 * m + 1)%nat -> median x == score x (Z.of_nat m + 1)) /\
  (length x = (2 * m + 2)%nat -> median x == (score x (Z.of_nat m + 1) + score x (Z.of_nat m + 2)) /
  2).
Proof.
  unfold median; rewrite quantile_between; split; intros L; rewrite L.
  - assert (position_2 (Z.of_nat (2 * m + 1)) == inject_Z (Z.of_nat m + 1)) as E.
    { unfold position_2; replace (Z.of_nat (2 * m + 1)) with (2 * Z.of_nat m + 1)%Z by lia;
      rewrite !inject_Z_plus, inject_Z_mult; field. }
    rewrite E, clamp_inside, (between_at _ _ (Z.of_nat m + 1)) by
      (try change 1 with (inject_Z 1); rewrite <- ?Zle_Qle, <- ?Zlt_Qlt; lia); ring.
  - assert (position_2 (Z.of_nat (2 * m + 2)) == inject_Z (Z.of_nat m + 1) + (1 # 2)) as E.
    { unfold position_2; replace (Z.of_nat (2 * m + 2)) with (2 * Z.of_nat m + 2)%Z by lia;
      rewrite !inject_Z_plus, inject_Z_mult; field. }
    assert (1 <= inject_Z (Z.of_nat m + 1)) by (change 1 with (inject_Z 1); rewrite <- Zle_Qle;
    lia).
    assert (inject_Z (Z.of_nat m + 1) + 1 <= inject_Z (Z.of_nat (2 * m + 2))) by
      (change 1 with (inject_Z 1); rewrite <- inject_Z_plus, <- Zle_Qle; lia).
    rewrite E, clamp_inside, (between_at _ _ (Z.of_nat m + 1)) by
      (rewrite ?(inject_Z_plus (_ + _) 1); change (inject_Z 1) with 1; lra).
    replace (Z.of_nat m + 1 + 1)%Z with (Z.of_nat m + 2)%Z by lia; field.
Qed.

(** Lists of the same numbers, however written *)
Lemma score_same x y i : Forall2 Qeq x y -> score x i == score y i.
Proof.
  intros F; unfold score; generalize (Z.to_nat (i - 1)); induction F; intros [|n]; cbn;
  try reflexivity; auto.
Qed.
Lemma same_length {A B} (R : A -> B -> Prop) x y : Forall2 R x y -> length x = length y.
Proof. induction 1; cbn; congruence. Qed.
Lemma quantile_same x y p : Forall2 Qeq x y -> quantile x p == quantile y p.
Proof.
  intros F; rewrite !quantile_between, (same_length _ _ _ F); unfold between; cbv zeta;
  rewrite !(score_same x y) by assumption; reflexivity.
Qed.
Lemma rising_map f S : (forall x y, Qle_bool (f x) (f y) = Qle_bool x y) ->
  rising (map f S) = map f (rising S).
Proof.
  intros H; induction S as [|x S IH]; cbn; [reflexivity|]; rewrite IH; generalize (rising S).
  intro l; induction l as [|y l IHl]; cbn; [reflexivity|]; rewrite H.
  destruct (Qle_bool x y); cbn; [reflexivity|rewrite IHl; reflexivity].
Qed.
Lemma Qle_bool_same a b c d : (a <= b <-> c <= d) -> Qle_bool a b = Qle_bool c d.
Proof.
  intros H; destruct (Qle_bool a b) eqn:E, (Qle_bool c d) eqn:F; try reflexivity.
  - apply Qle_bool_iff, H, Qle_bool_iff in E; congruence.
  - apply Qle_bool_iff, H, Qle_bool_iff in F; congruence.
Qed.
Lemma rising_scale a b S : 0 < a ->
  rising (map (fun s => a * s + b) S) = map (fun s => a * s + b) (rising S).
Proof. intros A; apply rising_map; intros; apply Qle_bool_same; split; intros; nra. Qed.
Lemma score_map f x i : (1 <= i <= size x)%Z -> score (map f x) i = f (score x i).
Proof.
  unfold score, size; intros I; rewrite (nth_indep _ 0 (f 0)) by (rewrite map_length; lia);
  apply map_nth.
Qed.
(** Where a rank q lies between: at j, or between j and j + 1 *)
Lemma rank_of n q : 1 <= q -> q <= inject_Z n ->
  exists j, (1 <= j <= n)%Z /\ inject_Z j <= q /\ q < inject_Z (j + 1) /\
  ((j < n)%Z \/ q == inject_Z j).
Proof.
  intros A B; exists (Qfloor q); destruct (floor_of q) as [C D].
  assert (1 <= Qfloor q)%Z by (change 1%Z with (Qfloor 1); apply Qfloor_resp_le; assumption).
  assert (Qfloor q <= n)%Z by (rewrite <- (Qfloor_Z n); apply Qfloor_resp_le; assumption).
  repeat split; try assumption.
  destruct (Z.eq_dec (Qfloor q) n) as [E|]; [right; rewrite E in *; lra|left; lia].
Qed.
Lemma quantile_scale a b x p : (1 <= length x)%nat ->
  quantile (map (fun s => a * s + b) x) p == a * quantile x p + b.
Proof.
  intros L; rewrite !quantile_between, map_length.
  destruct (clamp_range _ p (length_ge_1 x L)) as [A B]; set (q := clamp _ p) in *.
  destruct (rank_of (size x) q A B) as (j & J & C & D & E); rewrite !(between_at _ q j C D).
  rewrite score_map by assumption; destruct E as [E|E].
  - rewrite score_map by lia; ring.
  - rewrite E; ring.
Qed.
(** RS-REL-1/L3: the quartiles of a S + b are a Q + b *)
Theorem REL_1_L3 a b by_ S : 0 < a -> S <> [] ->
  let x := rising S in let y := rising (map (fun s => a * s + b) S) in
  quartile_1 by_ y == a * quartile_1 by_ x + b /\ median y == a * median x + b /\
  quartile_3 by_ y == a * quartile_3 by_ x + b.
Proof.
  intros A N x y; assert (1 <= length x)%nat by (unfold x; rewrite rising_length; destruct S;
  [contradiction|cbn; lia]).
  unfold y; rewrite rising_scale by assumption; fold x; unfold quartile_1, median, quartile_3;
  rewrite map_length; repeat split; apply quantile_scale; assumption.
Qed.

Lemma rising_perm S : Permutation S (rising S).
Proof.
  assert (forall x l, Permutation (x :: l) (insert x l)) as P.
  { intros x l; induction l as [|y l IH]; cbn; [reflexivity|]; destruct (Qle_bool x y);
    [reflexivity|]; rewrite perm_swap; apply perm_skip, IH. }
  induction S as [|x S IH]; cbn; [reflexivity|]; rewrite <- P; apply perm_skip, IH.
Qed.
Lemma sorted_tail a x : sorted (a :: x) -> sorted x /\ forall y, In y x -> a <= y.
Proof.
  intros H; split.
  - intros i j I; apply (H (S i) (S j)); cbn; lia.
  - intros y Y; apply In_nth with (d := 0) in Y; destruct Y as (i & I & <-); apply (H 0%nat (S i));
    cbn; lia.
Qed.
(** Of sorted lists of the same scores there is one, up to how the numbers are written. *)
Lemma same_refl x : Forall2 Qeq x x.
Proof. induction x; constructor; [reflexivity|assumption]. Qed.
Lemma same_trans x y z : Forall2 Qeq x y -> Forall2 Qeq y z -> Forall2 Qeq x z.
Proof.
  intros F; revert z; induction F; intros z G; inversion G; subst; constructor; [|auto].
  etransitivity; eassumption.
Qed.
Lemma insert_same x y l m : x == y -> Forall2 Qeq l m -> Forall2 Qeq (insert x l) (insert y m).
Proof.
  intros E F; induction F as [|a b l m A F IH]; cbn; [repeat constructor; assumption|].
  rewrite (Qle_bool_same x a y b) by (rewrite E, A; reflexivity); destruct (Qle_bool y b);
  repeat (constructor; try assumption).
Qed.
Lemma insert_insert x y l : Forall2 Qeq (insert x (insert y l)) (insert y (insert x l)).
Proof.
  induction l as [|z l IH]; cbn; bools; cbn; bools; try lra; try apply same_refl;
  repeat (constructor; try lra); try apply same_refl; assumption.
Qed.
Lemma rising_of_perm S T : Permutation S T -> Forall2 Qeq (rising S) (rising T).
Proof.
  induction 1; cbn; [constructor|apply insert_same; [reflexivity|assumption]|apply
  insert_insert|eapply same_trans; eassumption].
Qed.
Lemma rising_of_sorted x : sorted x -> rising x = x.
Proof.
  induction x as [|a x IH]; intros H; [reflexivity|]; destruct (sorted_tail _ _ H) as [T L].
  cbn; rewrite IH by assumption; destruct x as [|b x]; [reflexivity|]; cbn.
  assert (Qle_bool a b = true) as -> by (apply Qle_bool_iff, L; left; reflexivity); reflexivity.
Qed.

(** The scores with the opposite sign, from the last to the first *)
Lemma score_rev x i : (1 <= i <= size x)%Z -> score (rev x) i = score x (size x + 1 - i).
Proof. unfold score, size; intros I; rewrite rev_nth by lia; f_equal; lia. Qed.
Lemma quantile_mirror x p : (1 <= length x)%nat ->
  quantile (rev (map Qopp x)) p == - quantile x (inject_Z (size x) + 1 - p).
Proof.
  intros L; rewrite !quantile_between, rev_length, map_length; fold (size x).
  pose proof (length_ge_1 x L) as N; fold (size x) in N.
  assert (clamp (inject_Z (size x)) (inject_Z (size x) + 1 - p) ==
    inject_Z (size x) + 1 - clamp (inject_Z (size x)) p) as -> by (unfold clamp; bools; lra).
  destruct (clamp_range _ p N) as [A B]; set (q := clamp _ p) in *.
  assert (forall i, (1 <= i <= size x)%Z -> score (rev (map Qopp x)) i == - score x (size x + 1 -
  i)) as R.
  { intros i I; rewrite score_rev by (unfold size in *; rewrite map_length; assumption).
    unfold size at 1; rewrite map_length; fold (size x); rewrite score_map by lia; reflexivity. }
  destruct (rank_of (size x) q A B) as (j & J & C & D & E); rewrite (between_at _ q j C D).
  rewrite inject_Z_plus in D; change (inject_Z 1) with 1 in D.
  destruct (Qeq_dec q (inject_Z j)) as [F|F].
  - rewrite F, (between_at _ _ (size x + 1 - j)), R by
      (assumption || (unfold Z.sub; rewrite !inject_Z_plus, inject_Z_opp; change (inject_Z 1) with
      1; lra)).
    unfold Z.sub; rewrite !inject_Z_plus, inject_Z_opp; change (inject_Z 1) with 1; ring.
  - destruct E as [E|E]; [|contradiction].
    rewrite (between_at _ _ (size x - j)), !R by
      (lia || (unfold Z.sub; rewrite ?inject_Z_plus, inject_Z_opp; change (inject_Z 1) with 1;
      lra)).
    replace (size x + 1 - (j + 1))%Z with (size x - j)%Z by lia.
    replace (size x - j + 1)%Z with (size x + 1 - j)%Z by lia.
    unfold Z.sub; rewrite ?inject_Z_plus, inject_Z_opp; change (inject_Z 1) with 1; ring.
Qed.
(** RS-REL-1/L4: the quartiles of -S are -Q(1 - p) *)
Theorem REL_1_L4_mirror by_ S : S <> [] -> let x := rising S in let y := rising (map Qopp S) in
  quartile_1 by_ y == - quartile_3 by_ x /\ median y == - median x /\
  quartile_3 by_ y == - quartile_1 by_ x.
Proof.
  intros N x y; assert (1 <= length x)%nat as L by (unfold x; rewrite rising_length; destruct S;
  [contradiction|cbn; lia]).
  assert (Forall2 Qeq y (rev (map Qopp x))) as E.
  { rewrite <- (rising_of_sorted (rev (map Qopp x))); [apply rising_of_perm; rewrite <-
    Permutation_rev; apply Permutation_map, rising_perm|].
    intros i j I; rewrite rev_length, map_length in I; rewrite !rev_nth by (rewrite map_length;
    lia).
    assert (forall k, nth k (map Qopp x) 0 = - nth k x 0) as O by (intro k; exact (map_nth Qopp x 0
    k)); rewrite map_length, !O; apply Qopp_le_compat, (rising_sorted S); fold x; lia. }
  unfold quartile_1, median, quartile_3; rewrite !(quantile_same _ _ _ E).
  pose proof (same_length _ _ _ E) as K; rewrite rev_length, map_length in K.
  rewrite K, !quantile_mirror by assumption; fold (size x); repeat split; apply Qopp_comp,
  quantile_comp; rewrite ?REL_1_L4; try ring; unfold position_2; field.
Qed.

(** The definition after this one, in the order of the table *)
Definition next by_ := match by_ with linear => hinges | hinges => median_unbiased
  | _ => weibull end.
Lemma hinge n : inject_Z n + 2 <= 4 * position_1 hinges n /\ 4 * position_1 hinges n <= inject_Z n +
  3.
Proof.
  unfold position_1; pose proof (Qfloor_le ((inject_Z n + 3) / 2)) as A.
  assert (inject_Z n + 2 <= 2 * inject_Z (Qfloor ((inject_Z n + 3) / 2))) as B.
  { destruct (Z.Even_or_Odd n) as [[m ->]|[m ->]].
    - rewrite (floor_is _ (m + 1)); rewrite ?inject_Z_plus, ?inject_Z_mult; change (inject_Z 2) with
    2; change (inject_Z 1) with 1; try lra; [apply Qle_shift_div_l|apply Qlt_shift_div_r]; lra.
    - rewrite (floor_is _ (m + 2)); rewrite ?inject_Z_plus, ?inject_Z_mult; change (inject_Z 2) with
    2; change (inject_Z 1) with 1; try lra; [apply Qle_shift_div_l|apply Qlt_shift_div_r]; lra. }
  set (h := inject_Z (Qfloor _)) in *.
  assert (4 * (h / 2) == 2 * h) as E by field; rewrite E; split; [assumption|].
  assert ((inject_Z n + 3) / 2 * 2 == inject_Z n + 3) by field; lra.
Qed.
Lemma positions_fall by_ n : position_1 (next by_) n <= position_1 by_ n.
Proof.
  pose proof (hinge n) as [A B]; destruct by_; cbn [next]; try lra; unfold position_1 in *;
  unfold Qdiv in *; change (/ 4) with (1 # 4) in *; lra.
Qed.
(** RS-REL-1/L5: in the order linear, hinges, median-unbiased, weibull, Q(3/4) does not fall and
    Q(1/4) does not rise *)
Theorem REL_1_L5 by_ S : S <> [] -> let x := rising S in
  quartile_3 by_ x <= quartile_3 (next by_) x /\ quartile_1 (next by_) x <= quartile_1 by_ x.
Proof.
  intros N x; assert (1 <= length x)%nat as L by (unfold x; rewrite rising_length; destruct S;
  [contradiction|cbn; lia]).
  pose proof (positions_fall by_ (Z.of_nat (length x))).
  split; apply quantile_rises; try apply rising_sorted; try assumption; rewrite ?REL_1_L4; lra.
Qed.
(** RS-REL-1/L5: ... for odd n "hinges" is "linear" *)
Theorem REL_1_L5_odd x m : length x = (2 * m + 1)%nat ->
  quartile_1 hinges x == quartile_1 linear x /\ quartile_3 hinges x == quartile_3 linear x.
Proof.
  intros L; unfold quartile_1, quartile_3; rewrite L.
  assert (position_1 hinges (Z.of_nat (2 * m + 1)) == position_1 linear (Z.of_nat (2 * m + 1))) as
  E.
  { unfold position_1; replace (Z.of_nat (2 * m + 1)) with (2 * Z.of_nat m + 1)%Z by lia.
    rewrite (floor_is _ (Z.of_nat m + 2)); rewrite ?inject_Z_plus, ?inject_Z_mult;
    change (inject_Z 2) with 2; change (inject_Z 1) with 1;
    [field|apply Qle_shift_div_l; lra|apply Qlt_shift_div_r; lra]. }
  split; apply quantile_comp; [assumption|rewrite !REL_1_L4, E; reflexivity].
Qed.

(** ** Outliers *)

(** The whisker of sorted scores *)
Definition upper_whisker by_ x := whisker (quartile_1 by_ x) (quartile_3 by_ x).

(** RS-REL-2/L4: in the order linear, hinges, median-unbiased, weibull W does not fall: an outlier
    by a later definition is one by all earlier ones *)
Theorem REL_2_L4 by_ S : S <> [] -> let x := rising S in
  upper_whisker by_ x <= upper_whisker (next by_) x /\
  forall s, upper_whisker (next by_) x < s -> upper_whisker by_ x < s.
Proof.
  intros N x; destruct (REL_1_L5 by_ S N) as [A B]; fold x in A, B.
  assert (upper_whisker by_ x <= upper_whisker (next by_) x) by (unfold upper_whisker, whisker;
  lra).
  split; [assumption|intros; lra].
Qed.

(** The number of scores from which on there can be an outlier *)
Definition enough by_ := match by_ with linear => 4 | weibull => 6 | _ => 5 end%nat.

Lemma score_le x s : sorted x -> In s x -> s <= score x (size x).
Proof.
  intros H I; apply In_nth with (d := 0) in I; destruct I as (i & I & <-); unfold score, size;
  apply H; lia.
Qed.
(** RS-REL-2/L5: there is no outlier among fewer than 4 scores by linear, 5 by hinges and
    median-unbiased, 6 by weibull *)
Theorem REL_2_L5 by_ S s : (length S < enough by_)%nat -> In s S ->
  s <= upper_whisker by_ (rising S).
Proof.
  intros L I; pose proof (rising_sorted S) as H; rewrite <- (rising_length S) in L.
  apply (Permutation_in _ (rising_perm S)) in I; apply (score_le _ _ H) in I;
  eapply Qle_trans; [exact I|clear I]; set (x := rising S) in *; clearbody x.
  assert (forall i j, (1 <= i)%Z -> (i <= j)%Z -> (j <= size x)%Z -> score x i <= score x j) as R
    by (intros; apply score_rises; assumption).
  unfold upper_whisker, whisker, quartile_1, quartile_3; rewrite !quantile_between; unfold size in
  *.
  destruct x as [|a [|b [|c [|d [|e [|f x]]]]]]; destruct by_; cbn [enough length] in L; try lia;
  clear L H; try pose proof (R 1%Z 2%Z ltac:(lia) ltac:(lia) ltac:(cbn; lia));
  try pose proof (R 2%Z 3%Z ltac:(lia) ltac:(lia) ltac:(cbn; lia));
  try pose proof (R 3%Z 4%Z ltac:(lia) ltac:(lia) ltac:(cbn; lia));
  try pose proof (R 4%Z 5%Z ltac:(lia) ltac:(lia) ltac:(cbn; lia)); clear R;
  repeat match goal with |- context [clamp ?n ?p] =>
    let q := eval vm_compute in (clamp n p) in change (clamp n p) with q end;
  unfold between; cbv zeta;
  repeat match goal with |- context [Qfloor ?q] =>
    let z := eval vm_compute in (Qfloor q) in change (Qfloor q) with z end;
  repeat match goal with
    | |- context [score ?x ?i] => let v := eval vm_compute in (score x i) in change (score x i) with
    v
    | K : context [score ?x ?i] |- _ =>
        let v := eval vm_compute in (score x i) in change (score x i) with v in K
    | |- context [inject_Z ?z] =>
        let v := eval vm_compute in (inject_Z z) in change (inject_Z z) with v end; lra.
Qed.
Lemma score_one n i : (1 <= i <= Z.of_nat n)%Z -> score (repeat 0 (n - 1) ++ [1]) i ==
  if (i =? Z.of_nat n)%Z then 1 else 0.
Proof.
  intros I; unfold score; destruct (Z.eqb_spec i (Z.of_nat n)).
  - rewrite app_nth2; rewrite repeat_length; [|lia].
    replace (Z.to_nat (i - 1) - (n - 1))%nat with O by lia; reflexivity.
  - rewrite app_nth1 by (rewrite repeat_length; lia).
    rewrite (repeat_spec (n - 1) 0 (nth (Z.to_nat (i - 1)) (repeat 0 (n - 1)) 0)); [reflexivity|].
    apply nth_In; rewrite repeat_length; lia.
Qed.
Lemma quantile_one n p : (2 <= n)%nat -> 1 <= p -> p <= inject_Z (Z.of_nat n) ->
  quantile (repeat 0 (n - 1) ++ [1]) p ==
  if Qle_bool p (inject_Z (Z.of_nat n) - 1) then 0 else p - (inject_Z (Z.of_nat n) - 1).
Proof.
  intros N A C; rewrite quantile_between, app_length, repeat_length.
  cbn [length]; replace (n - 1 + 1)%nat with n by lia; rewrite clamp_inside by assumption.
  destruct (rank_of _ _ A C) as (j & J & D & E & F); rewrite (between_at _ _ j D E).
  rewrite inject_Z_plus in E; change (inject_Z 1) with 1 in E.
  rewrite (score_one n j) by lia; destruct F as [F|F].
  - rewrite (score_one n (j + 1)) by lia; destruct (Z.eqb_spec j (Z.of_nat n)); [lia|].
    assert (inject_Z j + 1 <= inject_Z (Z.of_nat n)) by
      (change 1 with (inject_Z 1); rewrite <- inject_Z_plus, <- Zle_Qle; lia).
    destruct (Z.eqb_spec (j + 1) (Z.of_nat n)) as [G|G].
    + rewrite <- G, inject_Z_plus in *; change (inject_Z 1) with 1 in *; bools; lra.
    + assert (inject_Z j + 2 <= inject_Z (Z.of_nat n)) by
        (change 2 with (inject_Z 2); rewrite <- inject_Z_plus, <- Zle_Qle; lia); bools; lra.
  - rewrite F; setoid_replace (inject_Z j - inject_Z j) with 0 by ring; rewrite Qmult_0_l.
    assert (inject_Z j <= inject_Z (Z.of_nat n)) by (rewrite <- Zle_Qle; lia).
    destruct (Z.eqb_spec j (Z.of_nat n)) as [G|G].
    + rewrite <- G; bools; lra.
    + assert (inject_Z j + 1 <= inject_Z (Z.of_nat n)) by
        (change 1 with (inject_Z 1); rewrite <- inject_Z_plus, <- Zle_Qle; lia); bools; lra.
Qed.
(** RS-REL-2/L5: ... with so many there can be, as in {0, ..., 0, 1} *)
Theorem REL_2_L5_enough by_ n : (enough by_ <= n)%nat ->
  upper_whisker by_ (repeat 0 (n - 1) ++ [1]) < 1.
Proof.
  intros N; assert (4 <= n)%nat by (destruct by_; cbn in N; lia).
  unfold upper_whisker, quartile_1, quartile_3; rewrite app_length, repeat_length; cbn [length];
  replace (n - 1 + 1)%nat with n by lia; set (z := Z.of_nat n).
  assert (match by_ with linear => 4 | weibull => 6 | _ => 5 end <= inject_Z z) as M.
  { destruct by_; match goal with |- ?q <= _ => change q with (inject_Z (Qnum q)) end;
    rewrite <- Zle_Qle; cbn [enough Qnum] in *; lia. }
  assert (4 <= inject_Z z) as M4 by (change 4 with (inject_Z 4); rewrite <- Zle_Qle; lia).
  pose proof (hinge z) as [H1 H2].
  assert (1 <= position_1 by_ z /\ position_1 by_ z <= inject_Z z - 1) as [P1 P2].
  { destruct by_; [| split; lra| |]; unfold position_1, Qdiv; change (/ 4) with (1 # 4);
    split; lra. }
  assert (1 <= position_3 by_ z /\ position_3 by_ z <= inject_Z z) as [P3 P4] by (rewrite REL_1_L4;
    split; lra).
  pose proof (quantile_one n (position_1 by_ z) ltac:(lia) ltac:(lra) ltac:(fold z; lra)) as Q1.
  pose proof (quantile_one n (position_3 by_ z) ltac:(lia) P3 P4) as Q3.
  revert Q1 Q3; fold z; unfold whisker; generalize (quantile (repeat 0 (n - 1) ++ [1])
  (position_1 by_ z)) (quantile (repeat 0 (n - 1) ++ [1]) (position_3 by_ z)).
  pose proof (REL_1_L4 by_ z) as P; bools; intros q1 q3 Q1 Q3; try lra.
  destruct by_; [|lra| |]; cbv iota in M; unfold position_1, Qdiv in P;
  change (/ 4) with (1 # 4) in P; lra.
Qed.

(** ** Where control points coincide *)

(** The median by h = floor(n/2) *)
Lemma median_halves x : sorted x -> (1 <= length x)%nat -> let h := (size x / 2)%Z in
  (median x == score x (h + 1) /\ (size x = 2 * h + 1)%Z) \/
  (median x == (score x h + score x (h + 1)) / 2 /\ (size x = 2 * h)%Z).
Proof.
  intros X L h; unfold h, size.
  destruct (Nat.Even_or_Odd (length x)) as [[m M]|[m M]]; rewrite M.
  - right; destruct m as [|m]; [lia|]; replace (2 * S m)%nat with (2 * m + 2)%nat in * by lia.
    destruct (REL_1_L1 x m) as [_ E]; rewrite (E M).
    replace (Z.of_nat (2 * m + 2) / 2)%Z with (Z.of_nat m + 1)%Z by
      (apply Z.div_unique with 0%Z; lia).
    replace (Z.of_nat m + 1 + 1)%Z with (Z.of_nat m + 2)%Z by lia; split; [reflexivity|lia].
  - left; destruct (REL_1_L1 x m) as [E _]; rewrite (E M).
    replace (Z.of_nat (2 * m + 1) / 2)%Z with (Z.of_nat m) by (apply Z.div_unique with 1%Z; lia).
    split; [reflexivity|lia].
Qed.
Lemma half_bounds (x : list Q) : (1 <= length x)%nat -> let h := (size x / 2)%Z in
  (0 <= h /\ h + 1 <= size x)%Z /\ (1 <= size x)%Z.
Proof.
  intros L h; unfold h, size; pose proof (Z.div_mod (Z.of_nat (length x)) 2 ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (Z.of_nat (length x)) 2 ltac:(lia)); lia.
Qed.
(** RS-REL-4/L2: min = med where the floor(n/2) + 1 lowest scores are one number ... *)
Theorem REL_4_L2_low x : sorted x -> (1 <= length x)%nat ->
  (median x == score x 1 <-> forall i, (1 <= i <= size x / 2 + 1)%Z -> score x i == score x 1).
Proof.
  intros X L; destruct (half_bounds x L) as [B N]; set (h := (size x / 2)%Z) in *.
  assert (forall i j, (1 <= i)%Z -> (i <= j)%Z -> (j <= size x)%Z -> score x i <= score x j) as R
    by (intros; apply score_rises; assumption).
  destruct (median_halves x X L) as [[E F]|[E F]]; fold h in E, F; rewrite E; split; intros G.
  - intros i I; pose proof (R 1%Z i ltac:(lia) ltac:(lia) ltac:(lia));
    pose proof (R i (h + 1)%Z ltac:(lia) ltac:(lia) ltac:(lia)); lra.
  - apply G; lia.
  - assert (1 <= h)%Z by lia; pose proof (R 1%Z h ltac:(lia) ltac:(lia) ltac:(lia)).
    pose proof (R h (h + 1)%Z ltac:(lia) ltac:(lia) ltac:(lia)).
    unfold Qdiv in G; change (/ 2) with (1 # 2) in G.
    intros i I; pose proof (R 1%Z i ltac:(lia) ltac:(lia) ltac:(lia)).
    pose proof (R i (h + 1)%Z ltac:(lia) ltac:(lia) ltac:(lia)); lra.
  - rewrite (G h), (G (h + 1)%Z) by lia; field.
Qed.
(** RS-REL-4/L2: ... med = max where the floor(n/2) + 1 highest are; there is then no outlier *)
Theorem REL_4_L2_high x : sorted x -> (1 <= length x)%nat ->
  (median x == score x (size x) <->
   forall i, (size x - size x / 2 <= i <= size x)%Z -> score x i == score x (size x)).
Proof.
  intros X L; destruct (half_bounds x L) as [B N]; set (h := (size x / 2)%Z) in *.
  assert (forall i j, (1 <= i)%Z -> (i <= j)%Z -> (j <= size x)%Z -> score x i <= score x j) as R
    by (intros; apply score_rises; assumption).
  destruct (median_halves x X L) as [[E F]|[E F]]; fold h in E, F; rewrite E; split; intros G.
  - intros i I; pose proof (R i (size x) ltac:(lia) ltac:(lia) ltac:(lia));
    pose proof (R (h + 1)%Z i ltac:(lia) ltac:(lia) ltac:(lia)); lra.
  - apply G; lia.
  - assert (1 <= h)%Z by lia; pose proof (R h (h + 1)%Z ltac:(lia) ltac:(lia) ltac:(lia)).
    pose proof (R (h + 1)%Z (size x) ltac:(lia) ltac:(lia) ltac:(lia)).
    unfold Qdiv in G; change (/ 2) with (1 # 2) in G.
    intros i I; pose proof (R h i ltac:(lia) ltac:(lia) ltac:(lia)).
    pose proof (R i (size x) ltac:(lia) ltac:(lia) ltac:(lia)); lra.
  - rewrite (G h), (G (h + 1)%Z) by lia; field.
Qed.
(** RS-REL-4/L2: ... med = W where Q(1/4) = Q(3/4); W, which is a point if max > W, and max never
    coincide *)
Theorem REL_4_L2_whisker by_ S : S <> [] -> let x := rising S in
  (upper_whisker by_ x == median x <-> quartile_1 by_ x == quartile_3 by_ x) /\
  (median x == score x (size x) -> score x (size x) <= upper_whisker by_ x).
Proof.
  intros N x; destruct (REL_1_L2 by_ S N) as (A & B & C & D); fold x in A, B, C, D; split.
  - apply REL_2_L2; split; assumption.
  - intros E; unfold upper_whisker; pose proof (REL_2_L1 (quartile_1 by_ x) (quartile_3 by_ x)
    ltac:(lra)); lra.
Qed.

(** ** Scores a s + b *)

(** The points with the scores a s + b *)
Definition scaled a b := Forall2 (fun p q : Q * Q => fst q == a * fst p + b /\ snd q == snd p).

Lemma whisker_scale a b by_ S : 0 < a -> S <> [] ->
  upper_whisker by_ (rising (map (fun s => a * s + b) S)) == a * upper_whisker by_ (rising S) + b.
Proof.
  intros A N; destruct (REL_1_L3 a b by_ S A N) as (E & _ & F); unfold upper_whisker, whisker;
  rewrite E, F; ring.
Qed.
(** RS-REL-2/L1: ... of scores: W >= Q(3/4) >= med *)
Theorem REL_2_L1_scores by_ S : S <> [] -> let x := rising S in
  median x <= quartile_3 by_ x /\ quartile_3 by_ x <= upper_whisker by_ x.
Proof.
  intros N x; destruct (REL_1_L2 by_ S N) as (_ & B & C & _); split; [exact C|].
  apply REL_2_L1; fold x in B, C; lra.
Qed.
(** RS-REL-2/L3: ... by each definition of the quartiles, so the same items are outliers *)
Theorem REL_2_L3_scores a b by_ S s : 0 < a -> S <> [] ->
  let W := upper_whisker by_ (rising S) in
  let W' := upper_whisker by_ (rising (map (fun s => a * s + b) S)) in
  W' == a * W + b /\ (W' < a * s + b <-> W < s).
Proof.
  intros A N W W'; pose proof (whisker_scale a b by_ S A N) as E; fold W W' in E.
  split; [exact E|]; rewrite E; split; intros H; nra.
Qed.
(** RS-REL-4/L1: ... and the whisker, where it is a point, is below max, and 1 - alpha from 0 on and
    below 1 *)
Theorem REL_4_L1_whisker by_ S : S <> [] -> let x := rising S in
  let low := score x 1 in let high := score x (size x) in let W := upper_whisker by_ x in
  W < high -> low <= median x /\ median x <= W /\ 0 <= 1 - alpha low W high /\
  1 - alpha low W high < 1.
Proof.
  intros N x low high W H; destruct (REL_1_L2 by_ S N) as (A & B & C & D).
  destruct (REL_2_L1_scores by_ S N) as [E F]; fold x in A, B, C, D, E, F.
  assert (low <= W) as L by (unfold low, W; lra).
  destruct (REL_3_L1 low W high (conj L H)) as [[P Q] _].
  repeat split; unfold low, W in *; lra.
Qed.
#[global] Instance alpha_comp : Proper (Qeq ==> Qeq ==> Qeq ==> Qeq) alpha.
Proof. intros a a' A b b' B c c' C; unfold alpha; rewrite A, B, C; reflexivity. Qed.
Lemma text_points by_ S : S <> [] -> let x := rising S in
  let low := score x 1 in let high := score x (size x) in let W := upper_whisker by_ x in
  control_points by_ S = (low, 0) :: (median x, 0) :: (if Qle_bool high W then [] else [(W, 1 -
  alpha low W high)]) ++ [(high, 1)].
Proof.
  intros N x; unfold control_points, points_of_sorted; fold x; destruct x as [|low x'] eqn:X;
  [|reflexivity]; apply (f_equal (@length Q)) in X; unfold x in X; rewrite rising_length in X.
  destruct S; [contradiction|discriminate].
Qed.
Lemma rising_some S : S <> [] -> (1 <= length (rising S))%nat.
Proof. intros N; rewrite rising_length; destruct S; [contradiction|cbn; lia]. Qed.
(** min <= Q(1/4), Q(3/4) <= W: what the order of the scores says of the points *)
Lemma text_order by_ S : S <> [] -> let x := rising S in
  score x 1 <= median x /\ median x <= score x (size x) /\ median x <= upper_whisker by_ x.
Proof.
  intros N x; destruct (REL_1_L2 by_ S N) as (B & C & D & E); fold x in B, C, D, E.
  fold (size x) in E; pose proof (REL_2_L1 (quartile_1 by_ x) (quartile_3 by_ x) ltac:(lra)) as Y.
  fold (upper_whisker by_ x) in Y; repeat split; lra.
Qed.
(** RS-REL-4/L3: for a S + b the points are (a s + b, y) *)
Theorem REL_4_L3 a b by_ S : 0 < a ->
  scaled a b (control_points by_ S) (control_points by_ (map (fun s => a * s + b) S)).
Proof.
  intros A; destruct S as [|s S]; [constructor|]; set (l := s :: S).
  assert (l <> []) as N by discriminate; destruct (REL_1_L3 a b by_ l A N) as (_ & M & _).
  pose proof (whisker_scale a b by_ l A N) as W; destruct (text_order by_ l N) as (B & C & D).
  pose proof (rising_some l N) as L; rewrite !text_points by (discriminate || assumption).
  rewrite rising_scale in * by assumption; cbv zeta in *; set (x := rising l) in *.
  unfold size in *; rewrite map_length, !score_map by (unfold size; lia).
  set (high := score x (Z.of_nat (length x))) in *; set (low := score x 1) in *.
  rewrite (Qle_bool_same (a * high + b) (upper_whisker by_ (map (fun s => a * s + b) x)) high
    (upper_whisker by_ x)) by (rewrite W; split; intros; nra).
  constructor; [cbn [fst snd]; split; reflexivity|]; constructor; [cbn [fst snd]; split; [exact
  M|reflexivity]|].
  bools; cbn [app]; [repeat constructor; reflexivity|].
  constructor; [cbn [fst snd]; split; [exact W|]|repeat constructor; reflexivity].
  rewrite W, REL_3_L3 by lra; reflexivity.
Qed.

(** ** Control points by the program *)

Lemma last_filter f x d : sorted x -> (exists s, In s x /\ f s = true) ->
  let w := last (filter f x) d in In w x /\ f w = true /\ forall s, In s x -> f s = true -> s <= w.
Proof.
  intros X (s & I & F) w; unfold w; clear w.
  assert (filter f x <> []) as N by (intros E; assert (In s (filter f x)) as J by
    (apply filter_In; auto); rewrite E in J; exact J).
  assert (In (last (filter f x) d) (filter f x)) as J.
  { destruct (exists_last N) as (k & y & ->); rewrite last_last; apply in_or_app; right; left; auto.
  }
  apply filter_In in J; destruct J as [J1 J2]; repeat split; [assumption..|].
  clear s I F N J1 J2; induction x as [|a x IH]; intros s I F; [contradiction|].
  destruct (sorted_tail _ _ X) as [X' L]; cbn [filter].
  assert (forall t, In t x -> f t = true -> filter f x <> []) as N by (intros t T E K;
    assert (In t (filter f x)) as J by (apply filter_In; auto); rewrite K in J; exact J).
  destruct I as [->|I].
  - rewrite F; destruct (filter f x) as [|b y] eqn:E; [cbn; lra|].
    apply L; assert (In (last (s :: b :: y) d) (b :: y)) as J.
    { change (last (s :: b :: y) d) with (last (b :: y) d).
      destruct (exists_last (l := b :: y) ltac:(discriminate)) as (k & z & ->); rewrite last_last;
      apply in_or_app; right; left; auto. }
    assert (forall z, In z (b :: y) -> In z x) as K by (intros z Z; rewrite <- E in Z;
    apply filter_In in Z; tauto); apply K, J.
  - specialize (IH X' s I F); specialize (N s I F); destruct (f a); [|assumption].
    destruct (filter f x); [contradiction|exact IH].
Qed.
(** W+, the greatest score up to W *)
Definition whisker_score by_ x := last (filter (fun s => Qle_bool s (upper_whisker by_ x)) x)
  (score x 1).
Lemma program_points by_ S : positive_scores S <> [] -> let x := rising (positive_scores S) in
  let high := score x (size x) in let Wp := whisker_score by_ x in
  control_points_of_program by_ S = (0, 0) :: (median x, 0) ::
    (if Qle_bool high Wp then [] else [(Wp, 1 - alpha (score x 1) Wp high)]) ++ [(high, 1)].
Proof.
  intros N x; unfold control_points_of_program; fold x; destruct x as [|low x'] eqn:X;
  [|reflexivity].
  exfalso; apply N; apply (f_equal (@length Q)) in X; unfold x in X; rewrite rising_length in X.
  destruct (positive_scores S); [reflexivity|discriminate].
Qed.
Lemma program_without by_ S : positive_scores S = [] -> control_points_of_program by_ S = [].
Proof. intros E; unfold control_points_of_program; rewrite E; reflexivity. Qed.

(** A score from the median up to W: for two scores there is no outlier; of more, q(3/4) is at least
    the rank after the lower half. *)
Lemma score_at_whisker by_ S : S <> [] -> let x := rising S in
  exists s, In s x /\ median x <= s /\ s <= upper_whisker by_ x.
Proof.
  intros N x; pose proof (rising_sorted S : sorted x) as X; pose proof (rising_some S N : (1 <=
  length x)%nat) as L.
  destruct (text_order by_ S N) as (A & B & C); fold x in A, B, C.
  assert (forall i, (1 <= i <= size x)%Z -> In (score x i) x) as I by
    (intros i I; apply nth_In; unfold size in I; lia).
  destruct (Nat.le_gt_cases (length x) 2) as [K|K].
  - exists (score x (size x)); repeat split; [apply I; unfold size; lia|assumption|].
    apply REL_2_L5.
    + unfold x in K; rewrite rising_length in K; destruct by_; cbn; lia.
    + eapply Permutation_in; [symmetry; apply rising_perm|apply I; unfold size; lia].
  - destruct (half_bounds x L) as [H1 H2]; set (h := (size x / 2)%Z) in *.
    assert (size x = 2 * h \/ size x = 2 * h + 1)%Z as H3 by
      (pose proof (Z.div_mod (size x) 2 ltac:(lia)) as U; fold h in U;
      pose proof (Z.mod_pos_bound (size x) 2 ltac:(lia)); lia).
    exists (score x (h + 1)); split; [apply I; lia|]; split.
    + destruct (median_halves x X L) as [[E _]|[E F]]; fold h in E; rewrite E; [lra|].
      pose proof (score_rises x h (h + 1) X ltac:(unfold size in *; lia) ltac:(lia)
        ltac:(unfold size in *; lia)); apply Qle_shift_div_r; lra.
    + apply Qle_trans with (quartile_3 by_ x).
      * unfold quartile_3; rewrite <- (Qplus_0_r (score x (h + 1))).
        assert (1 <= inject_Z (h + 1)) as U by (change 1 with (inject_Z 1); rewrite <- Zle_Qle;
        lia).
        assert (inject_Z (h + 1) <= inject_Z (size x)) as V by (rewrite <- Zle_Qle; lia).
        assert (score x (h + 1) + 0 == quantile x (inject_Z (h + 1))) as ->.
        { rewrite quantile_between, clamp_inside, (between_at _ _ (h + 1)) by
          (assumption || lra || (rewrite <- Zlt_Qlt; lia)); ring. }
        apply quantile_rises; [assumption|assumption|]; fold (size x).
        rewrite REL_1_L4; pose proof (hinge (size x)) as [J1 J2].
        assert (inject_Z 3 <= inject_Z (size x)) as T by (rewrite <- Zle_Qle; unfold size; lia).
        assert (2 * inject_Z h <= inject_Z (size x)) as T2 by
          (change 2 with (inject_Z 2); rewrite <- inject_Z_mult, <- Zle_Qle; lia).
        rewrite inject_Z_plus; change (inject_Z 3) with 3 in *;
        change (inject_Z 1) with 1.
        destruct by_; [| lra| |]; unfold position_1, Qdiv; change (/ 4) with (1 # 4); lra.
      * apply REL_2_L1; destruct (REL_1_L2 by_ S N) as (_ & Y & Z & _); fold x in Y, Z; lra.
Qed.
(** RS-REL-5/L1: 0 < med <= W+ <= max *)
Theorem REL_5_L1 by_ S : positive_scores S <> [] -> let x := rising (positive_scores S) in
  0 < score x 1 /\ score x 1 <= median x /\ median x <= whisker_score by_ x /\
  whisker_score by_ x <= score x (size x).
Proof.
  intros N x; pose proof (rising_sorted (positive_scores S) : sorted x) as X.
  destruct (text_order by_ _ N) as (A & B & C); fold x in A, B, C.
  destruct (score_at_whisker by_ _ N) as (s & I & D & E); fold x in I, D, E.
  destruct (last_filter (fun s => Qle_bool s (upper_whisker by_ x)) x (score x 1) X) as (F & G & H).
  { exists s; split; [assumption|apply Qle_bool_iff; assumption]. }
  fold (whisker_score by_ x) in F, G, H; split; [|repeat split]; [|assumption| |].
  - assert (In (score x 1) (positive_scores S)) as J.
    { eapply Permutation_in; [symmetry; apply rising_perm|]; fold x; apply nth_In.
      pose proof (rising_some _ N) as L; fold x in L; lia. }
    apply filter_In in J; destruct J as [_ J]; apply Qnot_le_lt; intros K; apply Qle_bool_iff in K;
    rewrite K in J; discriminate.
  - specialize (H s I (proj2 (Qle_bool_iff _ _) E)); lra.
  - apply score_le; assumption.
Qed.
(** RS-REL-5/L1: ... from point to point neither score nor relevance falls *)
Theorem REL_5_L1_points by_ S : in_order (control_points_of_program by_ S) /\
  Forall (fun p => 0 <= snd p <= 1) (control_points_of_program by_ S).
Proof.
  destruct (positive_scores S) as [|s l] eqn:P; [rewrite program_without by assumption; cbn; auto|].
  assert (positive_scores S <> []) as N by (rewrite P; discriminate).
  destruct (REL_5_L1 by_ S N) as (A & B & C & D); rewrite program_points by assumption; cbv zeta in
  *.
  set (x := rising (positive_scores S)) in *; set (Wp := whisker_score by_ x) in *.
  bools; cbn [app in_order fst snd].
  - split; [repeat split; lra|repeat (apply Forall_cons; [cbn [snd]; split; lra|]); apply
  Forall_nil].
  - destruct (REL_3_L1 (score x 1) Wp (score x (size x)) ltac:(lra)) as [[U V] _].
    split; [repeat split; lra|repeat (apply Forall_cons; [cbn [snd]; split; lra|]); apply
    Forall_nil].
Qed.
(** RS-REL-5/L4: the scores of S+ above W+ are those above W *)
Theorem REL_5_L4 by_ S s : In s (positive_scores S) -> let x := rising (positive_scores S) in
  (whisker_score by_ x < s <-> upper_whisker by_ x < s).
Proof.
  intros I x; assert (positive_scores S <> []) as N by (intros E; rewrite E in I; exact I).
  pose proof (rising_sorted (positive_scores S) : sorted x) as X.
  apply (Permutation_in _ (rising_perm _)) in I; fold x in I.
  destruct (score_at_whisker by_ _ N) as (t & J & D & E); fold x in J, D, E.
  destruct (last_filter (fun s => Qle_bool s (upper_whisker by_ x)) x (score x 1) X) as (F & G & H).
  { exists t; split; [assumption|apply Qle_bool_iff; assumption]. }
  fold (whisker_score by_ x) in F, G, H; apply Qle_bool_iff in G; split; intros L; [|lra].
  apply Qnot_le_lt; intros K; apply Qle_bool_iff in K; specialize (H s I K); lra.
Qed.
Lemma positive_scale a S : 0 < a ->
  positive_scores (map (fun s => a * s + 0) S) = map (fun s => a * s + 0) (positive_scores S).
Proof.
  intros A; induction S as [|s S IH]; [reflexivity|]; unfold positive_scores in *; cbn [map filter].
  rewrite IH, (Qle_bool_same (a * s + 0) 0 s 0) by (split; intros; nra).
  destruct (Qle_bool s 0); reflexivity.
Qed.
Lemma filter_map_swap {A B} (f : B -> bool) (g : A -> B) l :
  filter f (map g l) = map g (filter (fun a => f (g a)) l).
Proof. induction l as [|a l IH]; cbn; [reflexivity|]; destruct (f (g a)); cbn; rewrite IH;
  reflexivity.
Qed.
Lemma whisker_score_scale a by_ S : 0 < a -> S <> [] ->
  whisker_score by_ (rising (map (fun s => a * s + 0) S)) = a * whisker_score by_ (rising S) + 0.
Proof.
  intros A N; pose proof (whisker_scale a 0 by_ S A N) as W; pose proof (rising_some S N) as L.
  rewrite rising_scale in * by assumption; set (x := rising S) in *; unfold whisker_score.
  rewrite filter_map_swap, score_map by (unfold size; lia).
  rewrite (filter_ext _ (fun s => Qle_bool s (upper_whisker by_ x))).
  - generalize (filter (fun s => Qle_bool s (upper_whisker by_ x)) x) (score x 1).
    intros l d; induction l as [|u l IH]; [reflexivity|]; cbn [map]; destruct l; [reflexivity|].
    exact IH.
  - intro s; apply Qle_bool_same; rewrite W; split; intros; nra.
Qed.
(** RS-REL-5/L3 in part: for a S the points are (a s, y) *)
Theorem REL_5_L3 a by_ S : 0 < a -> scaled a 0 (control_points_of_program by_ S)
  (control_points_of_program by_ (map (fun s => a * s + 0) S)).
Proof.
  intros A; destruct (positive_scores S) as [|s0 l0] eqn:P.
  { rewrite !program_without; [constructor|rewrite positive_scale, P by assumption; reflexivity|].
    assumption. }
  assert (positive_scores S <> []) as N by (rewrite P; discriminate).
  assert (positive_scores (map (fun s => a * s + 0) S) <> []) as N' by
    (rewrite positive_scale, P by assumption; discriminate).
  clear P; destruct (REL_5_L1 by_ S N) as (B & C & D & E); rewrite !program_points by assumption.
  rewrite positive_scale by assumption; cbv zeta in *; set (l := positive_scores S) in *.
  rewrite whisker_score_scale by assumption; destruct (REL_1_L3 a 0 by_ l A N) as (_ & M & _).
  cbv zeta in M; pose proof (rising_some l N) as L; rewrite rising_scale in * by assumption.
  set (x := rising l) in *; unfold size in *; rewrite map_length, !score_map by (unfold size; lia).
  set (high := score x (Z.of_nat (length x))) in *; set (low := score x 1) in *.
  rewrite (Qle_bool_same (a * high + 0) (a * whisker_score by_ x + 0) high (whisker_score by_ x)) by
    (split; intros; nra).
  constructor; [cbn [fst snd]; split; ring|]; constructor; [cbn [fst snd]; split; [exact
  M|reflexivity]|].
  bools; cbn [app]; [repeat constructor; reflexivity|].
  constructor; [cbn [fst snd]; split; [reflexivity|]|repeat constructor; reflexivity].
  rewrite REL_3_L3 by lra; reflexivity.
Qed.
(** RS-REL-5/L3 in part: ... for S + b they are not (s + b, y) *)
Theorem REL_5_L3_shift : ~ scaled 1 1 (control_points_of_program hinges [1; 2; 3])
  (control_points_of_program hinges (map (fun s => 1 * s + 1) [1; 2; 3])).
Proof. vm_compute; intros F; inversion F as [|? ? ? ? [E _]]; discriminate E. Qed.

(** ** Points of the same score *)

(** RS-REL-6/L1: Y does not fall ... *)
Theorem REL_6_L1 points : in_order points -> rises_strictly (distinct points).
Proof. intros O; apply distinct_rises, O. Qed.
Lemma in_order_tail p points : in_order (p :: points) ->
  in_order points /\ forall q, In q points -> fst p <= fst q /\ snd p <= snd q.
Proof.
  revert p; induction points as [|q points IH]; intros p H; [split; [exact I|intros ? []]|].
  destruct H as (A & B & H); split; [exact H|]; intros r [<-|R]; [auto|].
  destruct (IH q H) as [_ K]; destruct (K r R); split; lra.
Qed.
(** RS-REL-6/L1: ... so of the points with the same score the last, which is left, has the highest
    relevance *)
Theorem REL_6_L1_last points p q : in_order points -> In p points -> In q (distinct points) ->
  fst p == fst q -> snd p <= snd q.
Proof.
  revert p q; induction points as [|a points IH]; intros p q O P Q E; [contradiction|].
  destruct (in_order_tail _ _ O) as [O' L]; destruct points as [|b points].
  - destruct P as [<-|[]], Q as [<-|[]]; lra.
  - change (distinct (a :: b :: points)) with (if Qeq_bool (fst a) (fst b) then distinct (b ::
  points) else a :: distinct (b :: points)) in Q.
    destruct (Qeq_bool (fst a) (fst b)) eqn:F; [|destruct Q as [<-|Q]]; destruct P as [<-|P].
    + apply (L q), distinct_in, Q.
    + apply IH; assumption.
    + lra.
    + exfalso; assert (~ fst a == fst b) as N by (intros K; apply Qeq_bool_iff in K; congruence).
      destruct (in_order_tail _ _ O') as [_ M]; destruct (L b (or_introl eq_refl)).
      destruct P as [<-|P]; [lra|]; destruct (M p P); apply N; lra.
    + apply (L q), distinct_in, Q.
    + apply IH; assumption.
Qed.

(** ** One line *)

#[global] Instance interior_slope_comp : Proper (Qeq ==> Qeq ==> Qeq ==> Qeq ==> Qeq)
  interior_slope.
Proof.
  intros a a' A b b' B c c' C d d' D; unfold interior_slope; cbv zeta.
  rewrite (Qle_bool_same (c * d) 0 (c' * d') 0) by (rewrite C, D; reflexivity).
  destruct (Qle_bool _ _); [reflexivity|rewrite A, B, C, D; reflexivity].
Qed.
#[global] Instance end_slope_comp : Proper (Qeq ==> Qeq ==> Qeq ==> Qeq ==> Qeq) end_slope.
Proof.
  intros a a' A b b' B c c' C d d' D; unfold end_slope; cbv zeta.
  assert (((2 * a + b) * c - a * d) / (a + b) == ((2 * a' + b') * c' - a' * d') / (a' + b')) as E by
    (rewrite A, B, C, D; reflexivity).
  set (x := _ / (a + b)) in *; set (y := _ / (a' + b')) in *; clearbody x y.
  rewrite (Qle_bool_same (x * c) 0 (y * c') 0) by (rewrite E, C; reflexivity).
  rewrite (Qle_bool_same (c * d) 0 (c' * d') 0) by (rewrite C, D; reflexivity).
  rewrite (Qle_bool_same (Qabs.Qabs x) (3 * Qabs.Qabs c) (Qabs.Qabs y) (3 * Qabs.Qabs c')) by
    (rewrite E, C; reflexivity).
  destruct (Qle_bool (y * c') 0); [reflexivity|]; destruct (_ && _)%bool; [rewrite C; reflexivity|].
  assumption.
Qed.
#[global] Instance hermite_comp : Proper (Qeq ==> Qeq ==> Qeq ==> Qeq ==> Qeq ==> Qeq ==> Qeq)
  hermite.
Proof.
  intros t t' T h h' H a a' A b b' B c c' C d d' D; unfold hermite; cbv zeta;
  rewrite T, H, A, B, C, D; reflexivity.
Qed.
(** RS-REL-7/L4: if all D_j are equal, so are all slopes ... *)
Theorem REL_7_L4_slopes l X Y D : rises l X Y -> (forall j, (j < l)%nat -> chord X Y j == D) ->
  forall j, (1 <= l)%nat -> (j <= l)%nat -> slope l X Y j == D.
Proof.
  intros H E j L J; pose proof (fun i I => width_pos l X Y i H I) as W.
  assert (0 <= D) as N by (rewrite <- (E 0%nat) by lia; apply (chord_nonneg l X Y);
  [assumption|lia]).
  unfold slope; cbv zeta; destruct (Nat.eqb_spec l 1) as [|M]; [apply E; lia|].
  destruct (Nat.eqb_spec j 0); [|destruct (Nat.eqb_spec j l)]; rewrite !E by lia;
  apply REL_7_L4; try assumption; apply W; lia.
Qed.
(** RS-REL-7/L4: ... and phi is that line *)
Theorem REL_7_L4_line l X Y D s : rises l X Y -> (forall j, (j < l)%nat -> chord X Y j == D) ->
  X 0%nat <= s -> s <= X l -> phi l X Y s == Y 0%nat + D * (s - X 0%nat).
Proof.
  intros H E A B; assert (forall j, (j <= l)%nat -> Y j == Y 0%nat + D * (X j - X 0%nat)) as P.
  { induction j as [|j IH]; intros J; [ring|]; pose proof (width_pos l X Y j H ltac:(lia)) as W.
    assert (Y (S j) == Y j + chord X Y j * width X j) as -> by (unfold chord; field; lra).
    rewrite IH, E by lia; unfold width; ring. }
  unfold phi; cbv zeta; set (j := interval X s l).
  assert (Qle_bool (X 0%nat) s = true) as -> by (apply Qle_bool_iff; assumption); cbn [negb].
  pose proof (interval_le X s l) as J; fold j in J; pose proof (interval_from X s l A) as F;
  fold j in F; destruct (Nat.eqb_spec j l) as [K|K].
  - rewrite P, <- K by lia; assert (s == X j) as -> by (rewrite K in *; lra); reflexivity.
  - pose proof (width_pos l X Y j H ltac:(lia)) as W.
    rewrite !(REL_7_L4_slopes l X Y D), (P (S j)), (P j) by (assumption || lia).
    unfold hermite; cbv zeta; unfold width in *; field; lra.
Qed.

(** ** Slopes of scores a s + b *)

Lemma end_slope_scale a h0 h1 D0 D1 : 0 < a -> 0 < h0 -> 0 < h1 -> 0 <= D0 -> 0 <= D1 ->
  end_slope (a * h0) (a * h1) (D0 / a) (D1 / a) == end_slope h0 h1 D0 D1 / a.
Proof.
  intros A P0 P1 N0 N1; assert (0 < a * h0) by nra; assert (0 < a * h1) by nra.
  assert (0 <= D0 / a) by (apply Qle_shift_div_l; lra).
  assert (0 <= D1 / a) by (apply Qle_shift_div_l; lra).
  destruct (REL_7_L5 h0 h1 D0 D1 P0 P1 N0 N1) as (_ & _ & -> & _).
  destruct (REL_7_L5 (a * h0) (a * h1) (D0 / a) (D1 / a)) as (_ & _ & -> & _); try assumption.
  set (d := ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1)).
  assert (((2 * (a * h0) + a * h1) * (D0 / a) - a * h0 * (D1 / a)) / (a * h0 + a * h1) == d / a) as
  E by (unfold d; field; split; nra).
  rewrite (Qle_bool_same _ 0 (d * D0) 0).
  - destruct (Qle_bool (d * D0) 0); [field; lra|exact E].
  - rewrite E; assert (d / a * (D0 / a) == d * D0 / (a * a)) as -> by (field; lra).
    assert (d * D0 / (a * a) * (a * a) == d * D0) by (field; lra); assert (0 < a * a) by nra.
    split; intros; nra.
Qed.
(** RS-REL-7/L6: of the scores a s + b the slopes are divided by a *)
Theorem REL_7_L6_slopes a b l X Y X' Y' j : 0 < a -> rises l X Y ->
  (forall i, (i <= l)%nat -> X' i == a * X i + b) -> (forall i, (i <= l)%nat -> Y' i == Y i) ->
  (1 <= l)%nat -> (j <= l)%nat -> slope l X' Y' j == slope l X Y j / a.
Proof.
  intros A H EX EY L J; pose proof (fun i I => width_pos l X Y i H I) as W.
  pose proof (fun i I => chord_nonneg l X Y i H I) as C.
  assert (forall i, (i < l)%nat -> width X' i == a * width X i) as EW by
    (intros i I; unfold width; rewrite !EX by lia; ring).
  assert (forall i, (i < l)%nat -> chord X' Y' i == chord X Y i / a) as EC.
  { intros i I; pose proof (W i I); unfold chord; rewrite EW, !EY by lia; field; split; nra. }
  unfold slope; cbv zeta; destruct (Nat.eqb_spec l 1) as [|M]; [apply EC; lia|].
  destruct (Nat.eqb_spec j 0); [|destruct (Nat.eqb_spec j l)]; rewrite !EC, !EW by lia;
  [apply end_slope_scale|apply end_slope_scale|apply REL_7_L6];
  assumption || (apply W; lia) || (apply C; lia).
Qed.
Lemma phi_scale a b l X Y X' Y' s t : 0 < a -> rises l X Y ->
  (forall i, (i <= l)%nat -> X' i == a * X i + b) -> (forall i, (i <= l)%nat -> Y' i == Y i) ->
  t == a * s + b -> phi l X' Y' t == phi l X Y s.
Proof.
  intros A H EX EY T; assert (forall i, (i <= l)%nat -> Qle_bool (X' i) t = Qle_bool (X i) s) as B
  by (intros i I; apply Qle_bool_same; rewrite EX, T by assumption; split; intros; nra).
  assert (forall m, (m <= l)%nat -> interval X' t m = interval X s m) as K.
  { induction m as [|m IH]; intros M; [reflexivity|]; cbn [interval]; rewrite B, IH by lia;
  reflexivity. } unfold phi; cbv zeta; rewrite B, K by lia; destruct (Qle_bool (X 0%nat) s); cbn
  [negb]; [|apply EY; lia]; pose proof (interval_le X s l) as J; set (j := interval X s l) in *.
  destruct (Nat.eqb_spec j l); [apply EY; lia|]; pose proof (width_pos l X Y j H ltac:(lia)) as W.
  assert (width X' j == a * width X j) as EW by (unfold width; rewrite !EX by lia; ring).
  rewrite !(REL_7_L6_slopes a b l X Y X' Y'), EW, !EY, EX, T by (assumption || lia).
  unfold hermite; cbv zeta; field; split; nra.
Qed.

Lemma distinct_scaled a b P P' : 0 < a -> scaled a b P P' -> scaled a b (distinct P) (distinct P').
Proof.
  intros A F; induction F as [|p q P P' [E1 E2] F IH]; [constructor|]; destruct F as [|p2 q2 P P'
  [E3 E4] F]; [repeat constructor; assumption|].
  change (distinct (p :: p2 :: P)) with (if Qeq_bool (fst p) (fst p2) then distinct (p2 :: P)
    else p :: distinct (p2 :: P)).
  change (distinct (q :: q2 :: P')) with (if Qeq_bool (fst q) (fst q2) then distinct (q2 :: P')
    else q :: distinct (q2 :: P')).
  destruct (Qeq_bool (fst p) (fst p2)) eqn:U, (Qeq_bool (fst q) (fst q2)) eqn:V; try exact IH.
  - apply Qeq_bool_iff in U; apply Qeq_bool_neq in V; exfalso; apply V; rewrite E1, E3, U;
  reflexivity.
  - apply Qeq_bool_iff in V; apply Qeq_bool_neq in U; exfalso; apply U; rewrite E1, E3 in V; nra.
  - constructor; [split; assumption|exact IH].
Qed.
Lemma scaled_nth a b P P' p q i : scaled a b P P' -> fst q == a * fst p + b -> snd q == snd p ->
  fst (nth i P' q) == a * fst (nth i P p) + b /\ snd (nth i P' q) == snd (nth i P p).
Proof. intros F E1 E2; revert i; induction F as [|? ? ? ? [? ?] F IH]; intros [|i]; cbn; auto. Qed.
(** phi of the scores and points a s + b *)
Lemma phi_of_scale a b P P' s t : 0 < a -> in_order P -> scaled a b P P' -> t == a * s + b ->
  phi_of P' t == phi_of P s.
Proof.
  intros A O F T; pose proof (distinct_scaled a b P P' A F) as G; destruct (distinct_rises P O) as
  [R _].
  unfold phi_of; destruct G as [|p q K K' [E1 E2] G]; [reflexivity|].
  cbn [length]; rewrite !Nat.sub_succ, !Nat.sub_0_r, <- (same_length _ _ _ G).
  pose proof (rises_of_points p K R) as H.
  apply phi_scale with (a := a) (b := b); try assumption; intros i I;
  apply (scaled_nth a b (p :: K) (q :: K') p q i); try assumption; (constructor; [split|];
  assumption).
Qed.
(** RS-REL-9/L3: by the text, the scores a s + b have the same relevances *)
Theorem REL_9_L3 a b by_ S s : 0 < a ->
  phi_of (control_points by_ (map (fun s => a * s + b) S)) (a * s + b) == phi_of (control_points by_
  S) s.
Proof.
  intros A; apply phi_of_scale with (a := a) (b := b); [assumption|apply REL_4_L1|apply REL_4_L3;
  assumption|reflexivity].
Qed.
(** RS-REL-9/L3: ... by the program, the scores a s have the same relevances *)
Theorem REL_9_L3_program a by_ S s : 0 < a ->
  phi_of (control_points_of_program by_ (map (fun s => a * s + 0) S)) (a * s) ==
  phi_of (control_points_of_program by_ S) s.
Proof.
  intros A; apply phi_of_scale with (a := a) (b := 0); [assumption|apply REL_5_L1_points|apply
  REL_5_L3; assumption|ring].
Qed.
(** RS-REL-9/L3: ... by the program the scores s + b need not *)
Theorem REL_9_L3_shift : map Qred (relevance_of_program hinges [1; 2; 2]) = [1 # 2; 1; 1] /\
  map Qred (relevance_of_program hinges [2; 3; 3]) = [2 # 3; 1; 1].
Proof. split; vm_compute; reflexivity. Qed.

(** ** How steep phi is *)

(** RS-REL-7/L3: ... it rises strictly if D_j > 0, and nowhere is steeper than 3 D_j *)
Theorem REL_7_L3_steep h y0 y1 d0 d1 s t : 0 < h -> let D := (y1 - y0) / h in 0 <= d0 <= 3 * D ->
  0 <= d1 <= 3 * D -> 0 <= s <= t -> t <= 1 ->
  hermite t h y0 y1 d0 d1 - hermite s h y0 y1 d0 d1 <= 3 * D * (h * t - h * s) /\
  (0 < D -> s < t -> hermite s h y0 y1 d0 d1 < hermite t h y0 y1 d0 d1).
Proof.
  intros P D H0 H1 ST T; assert (D * h == y1 - y0) as E by (unfold D; field; lra).
  destruct (Qlt_le_dec 0 D) as [Q|Q].
  - destruct (hermite_corners h y0 y1 d0 d1 P Q H0 H1) as (Y & p & q & Sa & Sb & mix).
    rewrite !mix; clear mix H0 H1.
    assert (forall u, 0 <= u * u) as square by (intros; nra).
    (* the four corners, each of a slope from 0 to 3 *)
    set (q0 := 3 * (s + t) - 2 * (s * s + s * t + t * t)).
    set (q1 := (1 - t) * (1 - t) + (1 - t) * (1 - s) + (1 - s) * (1 - s)).
    set (q2 := s * s + s * t + t * t).
    set (q3 := (2 * t - 1) * (2 * t - 1) + (2 * t - 1) * (2 * s - 1) + (2 * s - 1) * (2 * s - 1)).
    setoid_replace (y0 + (y1 - y0) * ((1 - p) * (1 - q) * (3 * (t * t) - 2 * (t * t * t)) +
      p * (1 - q) * (1 - (1 - t) * (1 - t) * (1 - t)) + (1 - p) * q * (t * t * t) +
      p * q * ((1 + (2 * t - 1) * (2 * t - 1) * (2 * t - 1)) / 2)))
    with ((y0 + (y1 - y0) * ((1 - p) * (1 - q) * (3 * (s * s) - 2 * (s * s * s)) +
      p * (1 - q) * (1 - (1 - s) * (1 - s) * (1 - s)) + (1 - p) * q * (s * s * s) +
      p * q * ((1 + (2 * s - 1) * (2 * s - 1) * (2 * s - 1)) / 2))) +
      (y1 - y0) * (t - s) * ((1 - p) * (1 - q) * q0 + p * (1 - q) * q1 + (1 - p) * q * q2 + p * q *
      q3))
    by (unfold q0, q1, q2, q3; field).
    set (base := y0 + _); set (w := _ + p * q * q3).
    assert (0 <= q0 <= 3 /\ 0 <= q1 <= 3 /\ 0 <= q2 <= 3 /\ 0 <= q3 <= 3) as (C0 & C1 & C2 & C3).
    { assert (forall u v, 0 <= u <= 1 -> 0 <= v <= 1 -> 0 <= u * v <= 1) as one by (intros; split;
    nra).
      pose proof (one s s ltac:(lra) ltac:(lra)); pose proof (one s t ltac:(lra) ltac:(lra));
      pose proof (one t t ltac:(lra) ltac:(lra)).
      pose proof (square (s - t)); pose proof (square (s + t - 1)).
      assert (0 <= s * (3 - 2 * s - t)) by (apply Qmult_le_0_compat; lra).
      assert (0 <= t * (3 - 2 * t - s)) by (apply Qmult_le_0_compat; lra).
      pose proof (one (1 - s) (1 - s) ltac:(lra) ltac:(lra)); pose proof (one (1 - t) (1 - s)
      ltac:(lra) ltac:(lra)); pose proof (one (1 - t) (1 - t) ltac:(lra) ltac:(lra)).
      unfold q0, q1, q2, q3; repeat split; lra. }
    assert (0 <= (1 - p) * (1 - q)) by (apply Qmult_le_0_compat; lra);
    assert (0 <= p * (1 - q)) by (apply Qmult_le_0_compat; lra).
    assert (0 <= (1 - p) * q) by (apply Qmult_le_0_compat; lra);
    assert (0 <= p * q) by (apply Qmult_le_0_compat; lra).
    split.
    + assert (w <= 3) by (unfold w; nra).
      assert (3 * D * (h * t - h * s) == (y1 - y0) * (t - s) * 3) as -> by (rewrite <- E; ring).
      assert (0 <= (y1 - y0) * (t - s)) by (apply Qmult_le_0_compat; lra); nra.
    + intros _ L; assert (0 < q0 /\ 0 < q1 /\ 0 < q2 /\ 0 < q3) as (G0 & G1 & G2 & G3).
      { assert (0 <= s * (3 - 2 * s - t)) by (apply Qmult_le_0_compat; lra).
        assert (0 < t * (3 - 2 * t - s)) by (apply Qmult_lt_0_compat; lra).
        assert (0 < t * t) by (apply Qmult_lt_0_compat; lra).
        assert (0 < (1 - s) * (1 - s)) by (apply Qmult_lt_0_compat; lra).
        assert (0 < (t - s) * (t - s)) by (apply Qmult_lt_0_compat; lra).
        assert (0 <= (1 - t) * (1 - s)) by (apply Qmult_le_0_compat; lra).
        assert (0 <= (1 - t) * (1 - t)) by (apply Qmult_le_0_compat; lra).
        assert (0 <= s * s) by (apply Qmult_le_0_compat; lra).
        assert (0 <= s * t) by (apply Qmult_le_0_compat; lra).
        pose proof (square (t + s - 1)).
        unfold q0, q1, q2, q3; repeat split; lra. }
      assert (0 < w).
      { assert (exists m, 0 < m /\ m <= q0 /\ m <= q1 /\ m <= q2 /\ m <= q3) as (m & M0 & M1 & M2 &
      M3 & M4).
        { clearbody q0 q1 q2 q3; clear - G0 G1 G2 G3.
          assert (forall u v, 0 < u -> 0 < v -> exists m, 0 < m /\ m <= u /\ m <= v) as X.
          { intros u v U V; destruct (Qlt_le_dec u v); [exists u|exists v]; repeat split; lra. }
          destruct (X q0 q1 G0 G1) as (m1 & ? & ? & ?); destruct (X q2 q3 G2 G3) as (m2 & ? & ? &
          ?).
          destruct (X m1 m2) as (m & ? & ? & ?); [assumption..|]; exists m; repeat split; lra. }
        assert (m <= w); [|lra]; assert (m == m * ((1 - p) * (1 - q) + p * (1 - q) + (1 - p) * q + p
        * q))
        as -> by ring; unfold w; nra. }
      assert (0 < (y1 - y0) * (t - s) * w) by (repeat apply Qmult_lt_0_compat; lra); lra.
  - assert (d0 == 0) as Z0 by lra; assert (d1 == 0) as Z1 by lra; assert (y1 == y0) as Z by nra.
    split; [|intros; lra]; unfold hermite; cbv zeta; rewrite Z0, Z1, Z.
    assert (D == 0) as -> by (unfold D; rewrite Z; field; lra); apply Qle_lteq; right; ring.
Qed.

Lemma chord_form X Y j : chord X Y j == (Y (S j) - Y j) / width X j.
Proof. reflexivity. Qed.
(** phi in the interval j *)
Lemma phi_inside l X Y s j : rises l X Y -> (j < l)%nat -> X j <= s -> s < X (S j) ->
  phi l X Y s = hermite ((s - X j) / width X j) (width X j) (Y j) (Y (S j)) (slope l X Y j)
    (slope l X Y (S j)) /\ 0 <= (s - X j) / width X j < 1.
Proof.
  intros H J A B; pose proof (X_rises l X Y 0 j H ltac:(lia)) as A0.
  assert (interval X s l = j) as I.
  { pose proof (interval_le X s l) as K; pose proof (interval_from X s l ltac:(lra)) as F.
    destruct (Nat.lt_trichotomy (interval X s l) j) as [L|[L|L]]; [|assumption|].
    - pose proof (interval_to X s l j ltac:(lia)); lra.
    - pose proof (X_rises l X Y (S j) (interval X s l) H ltac:(lia)); lra. }
  unfold phi; rewrite I; cbv zeta; assert (Qle_bool (X 0%nat) s = true) as -> by (apply
  Qle_bool_iff; lra); cbn [negb]; destruct (Nat.eqb_spec j l); [lia|]; split; [reflexivity|].
  unfold width; pose proof (width_pos l X Y j H J) as W; unfold width in W; split;
  [apply Qle_shift_div_l|apply Qlt_shift_div_r]; lra.
Qed.
Lemma phi_ends l X Y s : rises l X Y -> (s <= X 0%nat -> phi l X Y s == Y 0%nat) /\
  (X l <= s -> phi l X Y s == Y l).
Proof.
  intros H; split; intros A.
  - apply Qle_antisym; [|apply REL_8_L3; assumption].
    rewrite <- (REL_8_L1 l X Y 0 H) by lia; apply REL_8_L2; assumption.
  - apply Qle_antisym; [apply REL_8_L3; assumption|].
    rewrite <- (REL_8_L1 l X Y l H) at 1 by lia; apply REL_8_L2; assumption.
Qed.
(** Within an interval phi is nowhere steeper than 3 D, and strictly rises where D > 0. *)
Lemma phi_steep l X Y j s s' : rises l X Y -> (j < l)%nat -> X j <= s -> s <= s' -> s' <= X (S j) ->
  phi l X Y s' - phi l X Y s <= 3 * chord X Y j * (s' - s) /\
  (Y j < Y (S j) -> s < s' -> phi l X Y s < phi l X Y s').
Proof.
  intros H J A B C; pose proof (width_pos l X Y j H J) as W.
  assert (forall r, X j <= r -> r <= X (S j) -> phi l X Y r == hermite ((r - X j) / width X j)
    (width X j) (Y j) (Y (S j)) (slope l X Y j) (slope l X Y (S j)) /\
    0 <= (r - X j) / width X j <= 1) as P.
  { intros r R1 R2; destruct (Qlt_le_dec r (X (S j))) as [R3|R3].
    - destruct (phi_inside l X Y r j H J R1 R3) as [-> ?]; split; [reflexivity|lra].
    - assert (r == X (S j)) as E by lra; assert ((r - X j) / width X j == 1) as F by
        (rewrite E; unfold width in *; field; lra).
      split; [|rewrite F; lra]; rewrite F, hermite_1, <- (REL_8_L1 l X Y (S j) H) by lia.
      apply Qle_antisym; apply REL_8_L2; assumption || lra. }
  destruct (P s A ltac:(lra)) as [-> Rs], (P s' ltac:(lra) C) as [-> Rs'].
  destruct (REL_7_L1 l X Y j H J) as [S0 S1]; unfold chord in S0, S1.
  set (t := (s - X j) / width X j) in *; set (t' := (s' - X j) / width X j) in *.
  assert (t * width X j == s - X j) as T by (unfold t; field; lra).
  assert (t' * width X j == s' - X j) as T' by (unfold t'; field; lra).
  assert (t <= t') as L by (unfold t, t'; apply Qmult_le_compat_r; [lra|apply Qinv_le_0_compat;
  lra]).
  destruct (REL_7_L3_steep (width X j) (Y j) (Y (S j)) (slope l X Y j) (slope l X Y (S j)) t t' W S0
  S1) as [U V]; try lra; split.
  - eapply Qle_trans; [exact U|]; fold (chord X Y j); apply Qle_lteq; right; setoid_replace (width X
  j * t'
    - width X j * t) with (s' - s) by (rewrite !(Qmult_comm (width X j)), T, T'; ring); reflexivity.
  - intros Y1 S2; apply V; [apply Qlt_shift_div_l; lra|nra].
Qed.
(** phi is above the relevance of a point from which it rises. *)
Lemma phi_above l X Y j s : rises l X Y -> (j < l)%nat -> Y j < Y (S j) -> X j < s -> Y j < phi l X
  Y s.
Proof.
  intros H J U L; destruct (Qlt_le_dec s (X (S j))) as [K|K].
  - destruct (phi_steep l X Y j (X j) s H J) as [_ V]; try lra.
    rewrite <- (REL_8_L1 l X Y j H) at 1 by lia; apply V; assumption.
  - apply Qlt_le_trans with (Y (S j)); [assumption|]; rewrite <- (REL_8_L1 l X Y (S j) H) by lia.
    apply REL_8_L2; assumption.
Qed.

(** RS-REL-8/L5: phi is a continuous function of s; no difference is greater than K times that of
    the scores *)
Theorem REL_8_L5_continuous l X Y : rises l X Y -> exists K, 0 <= K /\ forall s s', s <= s' ->
  phi l X Y s' - phi l X Y s <= K * (s' - s).
Proof.
  intros H; assert (exists K, 0 <= K /\ forall j, (j < l)%nat -> 3 * chord X Y j <= K) as (K & P &
  M).
  { assert (forall m, exists K, 0 <= K /\ forall j, (j < m)%nat -> 3 * chord X Y j <= K) as B;
  [|apply B].
    induction m as [|m (K & P & M)]; [exists 0; split; [lra|intros; lia]|].
    destruct (Qlt_le_dec K (3 * chord X Y m)) as [L|L].
    - exists (3 * chord X Y m); split; [lra|]; intros j J; destruct (Nat.eq_dec j m) as [->|];
    [lra|].
      specialize (M j ltac:(lia)); lra.
    - exists K; split; [assumption|]; intros j J; destruct (Nat.eq_dec j m) as [->|]; [lra|].
      apply M; lia. }
  exists K; split; [assumption|]; clear - H P M.
  assert (forall j s s', (j < l)%nat -> X j <= s -> s <= s' -> s' <= X (S j) ->
    phi l X Y s' - phi l X Y s <= K * (s' - s)) as one.
  { intros j s s' J A B C; destruct (phi_steep l X Y j s s' H J A B C) as [U _]; specialize (M j J).
    eapply Qle_trans; [exact U|]; apply Qmult_le_compat_r; lra. }
  (* up to the point j, from any lower score *)
  assert (forall j, (j <= l)%nat -> forall s s', s <= s' -> s' <= X j ->
    phi l X Y s' - phi l X Y s <= K * (s' - s)) as upto.
  { induction j as [|j IH]; intros J s s' A B.
    - destruct (phi_ends l X Y s H) as [-> _]; [|lra]; destruct (phi_ends l X Y s' H) as [-> _];
    [|lra].
      assert (0 <= K * (s' - s)) by (apply Qmult_le_0_compat; lra); lra.
    - destruct (Qlt_le_dec (X j) s') as [L|L]; [|apply IH; lia || lra].
      destruct (Qlt_le_dec s (X j)) as [L'|L']; [|apply (one j); lia || lra].
      pose proof (IH ltac:(lia) s (X j) ltac:(lra) ltac:(lra)).
      pose proof (one j (X j) s' ltac:(lia) ltac:(lra) ltac:(lra) B); lra. }
  intros s s' A; destruct (Qlt_le_dec (X l) s') as [L|L]; [|apply (upto l); lia || lra].
  destruct (phi_ends l X Y s' H) as [_ ->]; [|lra].
  destruct (Qlt_le_dec s (X l)) as [L'|L'].
  - pose proof (upto l ltac:(lia) s (X l) ltac:(lra) ltac:(lra)) as U.
    rewrite (REL_8_L1 l X Y l H) in U by lia.
    assert (K * (X l - s) <= K * (s' - s)) by (rewrite !(Qmult_comm K); apply Qmult_le_compat_r;
    lra).
    lra.
  - destruct (phi_ends l X Y s H) as [_ ->]; [|lra].
    assert (0 <= K * (s' - s)) by (apply Qmult_le_0_compat; lra); lra.
Qed.

(** RS-REL-8/L1: ... and the slope there is d_j: from the right at X_j, from the left at X_(j + 1);
    the secants of the length z differ from it by at most c z *)
Theorem REL_8_L1_slope l X Y j : rises l X Y -> (j < l)%nat -> exists c, 0 <= c /\
  forall z, 0 < z -> z < width X j ->
  - (c * z) <= (phi l X Y (X j + z) - Y j) / z - slope l X Y j <= c * z /\
  - (c * z) <= (Y (S j) - phi l X Y (X (S j) - z)) / z - slope l X Y (S j) <= c * z.
Proof.
  intros H J; pose proof (width_pos l X Y j H J) as W; destruct (REL_7_L1 l X Y j H J) as [S0 S1].
  assert (chord X Y j * width X j == Y (S j) - Y j) as C by (unfold chord; field; lra).
  set (h := width X j) in *; set (D := chord X Y j) in *; set (a := slope l X Y j) in *;
  set (b := slope l X Y (S j)) in *.
  assert (X (S j) == X j + h) as E by (unfold h, width; ring).
  exists (20 * D / h); split; [apply Qle_shift_div_l; lra|]; intros z Z0 Z1.
  destruct (phi_inside l X Y (X j + z) j H J) as [-> _]; [lra|rewrite E; lra|].
  destruct (phi_inside l X Y (X (S j) - z) j H J) as [-> _]; [rewrite E; lra|lra|].
  fold h a b; set (u := z / h); assert (u * h == z) as U by (unfold u; field; lra).
  assert (0 < u < 1) as Ru by (split; [apply Qlt_shift_div_l|apply Qlt_shift_div_r]; lra).
  assert (forall v x, v == x * D -> - 20 <= x <= 20 -> - (20 * D / h * z) <= u * v <= 20 * D / h *
  z) as B.
  { intros v x -> R; assert (20 * D / h * z == 20 * (u * D)) as -> by (unfold u; field; lra).
    assert (0 <= u * D) by (apply Qmult_le_0_compat; lra); split; nra. }
  assert (0 <= D) as PD by lra.
  destruct (Qlt_le_dec 0 D) as [PD'|PD'].
  - set (p := a / D); set (q := b / D).
    assert (a == p * D) as Ep by (unfold p; field; lra); assert (b == q * D) as Eq by (unfold q;
    field; lra).
    assert (0 <= p <= 3) as Rp by (unfold p; split; [apply Qle_shift_div_l|apply Qle_shift_div_r];
    lra).
    assert (0 <= q <= 3) as Rq by (unfold q; split; [apply Qle_shift_div_l|apply Qle_shift_div_r];
    lra).
    split.
    + assert ((hermite ((X j + z - X j) / h) h (Y j) (Y (S j)) a b - Y j) / z - a ==
        u * ((3 * D - 2 * a - b) + u * (a + b - 2 * D))) as ->.
      { assert ((X j + z - X j) / h == u) as -> by (unfold u; field; lra); unfold hermite; cbv zeta.
        assert (Y (S j) == Y j + D * h) as -> by lra; rewrite <- U; field; split; nra. }
      apply B with ((3 - 2 * p - q) + u * (p + q - 2)); [rewrite Ep, Eq; ring|split; nra].
    + assert ((Y (S j) - hermite ((X (S j) - z - X j) / h) h (Y j) (Y (S j)) a b) / z - b ==
        u * ((3 * D - a - 2 * b) + u * (a + b - 2 * D))) as ->.
      { assert ((X (S j) - z - X j) / h == 1 - u) as -> by (rewrite E; unfold u; field; lra).
        unfold hermite; cbv zeta; assert (Y (S j) == Y j + D * h) as -> by lra; rewrite <- U; field;
        split; nra. }
      apply B with ((3 - p - 2 * q) + u * (p + q - 2)); [rewrite Ep, Eq; ring|split; nra].
  - assert (D == 0) as D0 by lra; assert (a == 0) as A0 by lra; assert (b == 0) as B0 by lra.
    assert (Y (S j) == Y j) as Y0 by (rewrite D0 in C; lra).
    assert (20 * D / h * z == 0) as -> by (rewrite D0; field; lra).
    rewrite A0, B0, Y0; unfold hermite; cbv zeta; split.
    + match goal with |- _ <= ?x /\ _ => assert (x == 0) as -> by (field; lra) end; lra.
    + match goal with |- _ <= ?x /\ _ => assert (x == 0) as -> by (field; lra) end; lra.
Qed.

(** ** phi of three points: no outlier *)

Lemma phi_of_points p kept s : rises_strictly (p :: kept) -> distinct (p :: kept) = p :: kept ->
  phi_of (p :: kept) s = phi (length kept) (fun j => fst (nth j (p :: kept) p))
    (fun j => snd (nth j (p :: kept) p)) s /\
  rises (length kept) (fun j => fst (nth j (p :: kept) p)) (fun j => snd (nth j (p :: kept) p)).
Proof.
  intros R E; split; [|apply rises_of_points; assumption]; unfold phi_of; rewrite E; cbn [length].
  rewrite Nat.sub_succ, Nat.sub_0_r; reflexivity.
Qed.
Lemma distinct_strictly points : rises_strictly points -> distinct points = points.
Proof.
  induction points as [|p points IH]; [reflexivity|]; destruct points as [|q points];
  [reflexivity|].
  intros (A & _ & B); change (distinct (p :: q :: points)) with (if Qeq_bool (fst p) (fst q)
    then distinct (q :: points) else p :: distinct (q :: points)).
  destruct (Qeq_bool (fst p) (fst q)) eqn:E; [apply Qeq_bool_iff in E; lra|rewrite IH; auto].
Qed.
(** The curve of RS-REL-8/L4 *)
Definition curve (c t : Q) := t * t * (3 - 2 * t) - c * (t * t) * (1 - t).
#[global] Instance curve_comp : Proper (Qeq ==> Qeq ==> Qeq) curve.
Proof. intros c c' C t t' T; unfold curve; rewrite C, T; reflexivity. Qed.
(** ... with c = (2 h1 + h0) / (h1 + h0) *)
Definition bend h0 h1 : Q := (2 * h1 + h0) / (h1 + h0).

Lemma bend_range h0 h1 : 0 < h0 -> 0 < h1 -> 1 <= bend h0 h1 <= 2.
Proof. intros; apply (REL_8_L4 h0 h1 0); assumption. Qed.
(** RS-REL-8/L4: let min < med < max and no outlier; then phi is 0 up to med, and from there to max
    t^2 (3 - 2 t) - c t^2 (1 - t) = t - t (1 - t) (1 - (2 - c) t) *)
Theorem REL_8_L4_phi low med high s : low < med -> med < high ->
  let P := [(low, 0); (med, 0); (high, 1)] in
  let h0 := med - low in let h1 := high - med in let t := (s - med) / h1 in let c := bend h0 h1 in
  1 <= c <= 2 /\ (s <= med -> phi_of P s == 0) /\ (med <= s -> s <= high -> phi_of P s == curve c t)
  /\ curve c t == t - t * (1 - t) * (1 - (2 - c) * t).
Proof.
  intros A B P h0 h1 t c; assert (0 < h0) as H0 by (unfold h0; lra); assert (0 < h1) as H1 by
  (unfold h1; lra); assert (rises_strictly P) as R by (unfold P; cbn; repeat split; lra).
  destruct (phi_of_points (low, 0) [(med, 0); (high, 1)] s R (distinct_strictly _ R)) as [E H].
  fold P in E; set (X := fun j => fst (nth j P (low, 0))); set (Y := fun j => snd (nth j P (low,
  0))).
  fold X Y in E, H; cbn [length] in E, H.
  destruct (REL_8_L4 h0 h1 t H0 H1) as (C & D & F & G); fold (bend h0 h1) in C, D, G;
  fold c in C, D, G.
  split; [exact C|]; split; [|split; [|unfold curve; ring]].
  - intros S; rewrite E; apply Qle_antisym.
    + apply Qle_trans with (Y 1%nat); [|cbn; lra]; rewrite <- (REL_8_L1 2 X Y 1 H) by lia;
      apply REL_8_L2; assumption.
    + apply Qle_trans with (Y 0%nat); [cbn; lra|apply REL_8_L3; assumption].
  - intros S T; rewrite E; destruct (Qlt_le_dec s high) as [L|L].
    + destruct (phi_inside 2 X Y s 1 H ltac:(lia) S L) as [-> _].
      assert (chord X Y 0 == 0) as C0 by (unfold chord, width; cbn; field; unfold h0 in H0; lra).
      assert (chord X Y 1 == 1 / h1) as C1 by (unfold chord, width, h1; cbn; field; unfold h1 in H1;
      lra).
      assert (slope 2 X Y 1 == 0) as -> by (unfold slope; cbn [Nat.eqb Nat.sub]; cbv zeta; rewrite
      C0; exact F).
      assert (slope 2 X Y 2 == c / h1) as ->.
      { unfold slope; cbn [Nat.eqb Nat.sub]; cbv zeta; rewrite C0, C1; apply (Qmult_inj_r _ _ h1);
      [lra|].
        transitivity c; [exact D|field; lra]. }
      transitivity (t - t * (1 - t) * (1 - (2 - c) * t)); [exact G|unfold curve; ring].
    + assert (s == high) as Z by lra; assert (t == 1) as -> by (unfold t, h1; rewrite Z; field;
    lra).
      change high with (X 2%nat) in Z; destruct (phi_ends 2 X Y s H) as [_ ->]; [|lra].
      unfold curve, Y; cbn; ring.
Qed.
(** RS-REL-8/L4: ... it is below the chord t for 0 < t < 1 *)
Theorem REL_8_L4_chord c t : 1 <= c <= 2 -> 0 < t < 1 -> curve c t < t.
Proof.
  intros C T; assert (curve c t == t - t * (1 - t) * (1 - (2 - c) * t)) as -> by (unfold curve;
  ring).
  assert (0 < t * (1 - t)) by (apply Qmult_lt_0_compat; lra); assert (0 < 1 - (2 - c) * t) by nra.
  assert (0 < t * (1 - t) * (1 - (2 - c) * t)) by (apply Qmult_lt_0_compat; lra); lra.
Qed.
Definition second_derivative (c t : Q) := 6 - 2 * c + 6 * (c - 2) * t.
(** RS-REL-8/L4: ... its second derivative, which a second difference of a cubic is over the square
    of its step, falls from 6 - 2 c at 0 to 4 c - 6 at 1 *)
Theorem REL_8_L4_second c t z : ~ z == 0 ->
  (curve c (t + z) - 2 * curve c t + curve c (t - z)) / (z * z) == second_derivative c t /\
  second_derivative c 0 == 6 - 2 * c /\ second_derivative c 1 == 4 * c - 6 /\
  (c <= 2 -> forall u, t <= u -> second_derivative c u <= second_derivative c t).
Proof.
  intros Z; unfold second_derivative; repeat split; [unfold curve; field; assumption|ring|ring|].
  intros C u U; nra.
Qed.
Definition convex_on_unit (f : Q -> Q) := forall s t w, 0 <= s <= 1 -> 0 <= t <= 1 -> 0 <= w <= 1 ->
  f (w * s + (1 - w) * t) <= w * f s + (1 - w) * f t.
(** RS-REL-8/L4: ... phi is convex if and only if h1 >= h0 *)
Theorem REL_8_L4_convex h0 h1 : 0 < h0 -> 0 < h1 ->
  (convex_on_unit (curve (bend h0 h1)) <-> h0 <= h1).
Proof.
  intros H0 H1; pose proof (bend_range h0 h1 H0 H1) as C; set (c := bend h0 h1) in *.
  assert (c * (h1 + h0) == 2 * h1 + h0) as E by (unfold c, bend; field; lra).
  assert (forall s t w, w * curve c s + (1 - w) * curve c t - curve c (w * s + (1 - w) * t) ==
    w * (1 - w) * ((s - t) * (s - t)) * (3 - c + (c - 2) * (s + t + (w * s + (1 - w) * t)))) as D by
    (intros; unfold curve; ring).
  split; intros H.
  - apply Qnot_lt_le; intros L; assert (2 * c < 3) as K by nra.
    set (e := (3 - 2 * c) / 3); assert (e * 3 == 3 - 2 * c) as Ee by (unfold e; field).
    specialize (H (1 - e) 1 (1 # 2) ltac:(lra) ltac:(lra) ltac:(lra)).
    specialize (D (1 - e) 1 (1 # 2)); setoid_replace (1 - (1 # 2)) with (1 # 2) in D by ring.
    setoid_replace (1 - (1 # 2)) with (1 # 2) in H by ring.
    assert (3 - c + (c - 2) * (1 - e + 1 + ((1 # 2) * (1 - e) + (1 # 2) * 1)) < 0) as N by nra.
    assert (0 < (1 # 2) * (1 # 2) * ((1 - e - 1) * (1 - e - 1))) as M by nra.
    set (u := (1 # 2) * (1 # 2) * _) in *; set (v := 3 - c + _) in *; assert (u * v < 0) by nra;
    lra.
  - intros s t w S T W; specialize (D s t w); assert (3 <= 2 * c) as K by nra.
    assert (0 <= w * s + (1 - w) * t <= 1) as M by (split; nra).
    assert (0 <= 3 - c + (c - 2) * (s + t + (w * s + (1 - w) * t))) by nra.
    assert (0 <= w * (1 - w) * ((s - t) * (s - t))) by (apply Qmult_le_0_compat;
    [apply Qmult_le_0_compat; lra|clear; set (d := s - t); nra]).
    set (u := w * (1 - w) * _) in *; set (v := 3 - c + _) in *.
    assert (0 <= u * v) by (apply Qmult_le_0_compat; assumption); lra.
Qed.
(** RS-REL-8/L5: where med tends to min, c tends to 2 and phi to t^2 *)
Theorem REL_8_L5_low low high s e : low < high -> low <= s -> s <= high -> 0 < e ->
  exists z, 0 < z /\ forall med, low < med -> med < low + z -> med < high ->
  let t := (s - low) / (high - low) in
  - e < phi_of [(low, 0); (med, 0); (high, 1)] s - t * t < e /\
  - e < bend (med - low) (high - med) - 2 <= 0.
Proof.
  intros A B C E; set (H := high - low); assert (0 < H) as PH by (unfold H; lra).
  exists (e * H / 4); split; [apply Qlt_shift_div_l; nra|]; intros med M1 M2 M3 t.
  destruct (REL_8_L4_phi low med high s M1 M3) as (R & P & Q & _); cbv zeta in R, P, Q.
  set (c := bend (med - low) (high - med)) in *; set (r := (med - low) / H).
  assert (r * H == med - low) as Er by (unfold r; field; lra).
  assert (0 < r) as R0 by (unfold r; apply Qlt_shift_div_l; lra).
  assert (r * 4 < e) as R1.
  { assert (e * H / 4 * 4 == e * H) by field; assert (r * 4 * H < e * H) by lra.
    apply Qnot_le_lt; intros K; nra. }
  assert (c == 2 - r) as Ec by (unfold c, bend, r, H; field; lra).
  assert (0 <= t <= 1) as Rt by (unfold t, H; split; [apply Qle_shift_div_l|apply Qle_shift_div_r];
  lra).
  split; [|split; lra].
  destruct (Qlt_le_dec s med) as [L|L].
  - rewrite P by lra; assert (t <= r) by (unfold t, r; fold H; apply Qmult_le_compat_r; [lra|apply
    Qinv_le_0_compat; lra]).
    assert (0 <= t * t) by nra; assert (t * t <= t) by nra; split; lra.
  - rewrite Q by assumption; set (u := (s - med) / (high - med)).
    assert (0 <= u <= 1) as Ru by (unfold u; split; [apply Qle_shift_div_l|apply Qle_shift_div_r];
    lra).
    assert (t == u + r * (1 - u)) as Et by (unfold t, u, r, H; field; lra).
    assert (curve c u - t * t == u * u * r * (1 - u) - (2 * u + r * (1 - u)) * (r * (1 - u))) as ->
      by (rewrite Et, Ec; unfold curve; ring).
    assert (0 <= r * (1 - u) <= r) by (split; nra); set (v := r * (1 - u)) in *.
    assert (u * u * r * (1 - u) == u * u * v) as -> by (unfold v; ring).
    assert (r <= 1) as R2 by (unfold r, H; apply Qle_shift_div_r; lra).
    assert (0 <= u * u <= 1) by (split; nra); assert (0 <= u * u * v <= r) by (split; nra).
    assert (0 <= (2 * u + v) * v <= 3 * r) by (split; nra); split; lra.
Qed.
(** RS-REL-8/L5: ... where med tends to max, phi tends to 0 at every score below max: it is 0 from
    med >= s on; the values at med = min and med = max are those of RS-REL-6/L2 *)
Theorem REL_8_L5_high low high s med : low < high -> s < high -> low < med -> med < high -> s <= med
  -> phi_of [(low, 0); (med, 0); (high, 1)] s == 0.
Proof. intros A B C D E; apply (REL_8_L4_phi low med high s C D), E. Qed.

(** RS-REL-8/L5: ... phi is not continuous in the scores: of 0, med, 1 the relevance of 1/2 tends to
    1/4 where med tends to 0, and at med = 0 it is 1/2 ... *)
Theorem REL_8_L5_low_jump : phi_of [(0, 0); (0, 0); (1, 1)] (1 # 2) == 1 # 2 /\
  forall z, 0 < z -> exists med, 0 < med /\ med < z /\
  phi_of [(0, 0); (med, 0); (1, 1)] (1 # 2) < 3 # 8.
Proof.
  split; [vm_compute; reflexivity|]; intros z Z.
  destruct (REL_8_L5_low 0 1 (1 # 2) (1 # 8)) as (y & Y & H); try lra.
  set (med := Qmin (Qmin z y) 1 / 2).
  assert (0 < med /\ med < z /\ med < y /\ med < 1) as (A & B & C & D).
  { unfold med; pose proof (Q.le_min_l z y); pose proof (Q.le_min_r z y).
    pose proof (Q.le_min_l (Qmin z y) 1); pose proof (Q.le_min_r (Qmin z y) 1).
    assert (0 < Qmin (Qmin z y) 1) by (repeat apply Q.min_glb_lt; lra).
    set (u := Qmin (Qmin z y) 1) in *; assert (u / 2 == u * (1 # 2)) as E by field.
    rewrite E; repeat split; lra. }
  exists med; repeat split; try assumption; destruct (H med) as [[_ U] _]; try lra.
  assert (((1 # 2) - 0) / (1 - 0) * (((1 # 2) - 0) / (1 - 0)) == 1 # 4) as E by reflexivity.
  cbv zeta in U; lra.
Qed.
(** RS-REL-8/L5: ... it is 0 for 1/2 <= med < 1, and 1/2 at med = 1 *)
Theorem REL_8_L5_high_jump : phi_of [(0, 0); (1, 0); (1, 1)] (1 # 2) == 1 # 2 /\
  forall med, 1 # 2 <= med -> med < 1 -> phi_of [(0, 0); (med, 0); (1, 1)] (1 # 2) == 0.
Proof. split; [vm_compute; reflexivity|]; intros; apply REL_8_L5_high; lra. Qed.

(** ** phi of scores *)

(** By the text the point (med, 0) counts where min < med < max and W > med. *)
Definition regular by_ S := let x := rising S in
  score x 1 < median x /\ median x < score x (size x) /\ median x < upper_whisker by_ x.

Lemma phi_of_line points y0 x0 D s : in_order points -> distinct points <> [] ->
  (forall q, In q (distinct points) -> snd q == y0 + D * (fst q - x0)) ->
  fst (hd (0, 0) points) <= s -> s <= fst (last points (0, 0)) -> phi_of points s == y0 + D * (s -
  x0).
Proof.
  intros O N L A B; destruct (distinct_rises points O) as [R F]; rewrite <- distinct_last in B.
  destruct points as [|p0 points]; [exfalso; apply N; reflexivity|]; cbn [hd] in A.
  revert R F N L B; unfold phi_of; destruct (distinct (p0 :: points)) as [|p kept];
  intros R F N L B; [contradiction|]; destruct F as [F _].
  cbn [length]; rewrite Nat.sub_succ, Nat.sub_0_r.
  pose proof (rises_of_points p kept R) as H.
  assert (forall j, (j <= length kept)%nat -> In (nth j (p :: kept) p) (p :: kept)) as I by
    (intros; apply nth_In; cbn; lia).
  rewrite (REL_7_L4_line _ _ _ D); [| exact H| | |].
  - change (nth 0 (p :: kept) p) with p; rewrite (L p (or_introl eq_refl)); ring.
  - intros j J; pose proof (width_pos _ _ _ j H J) as W; unfold chord.
    rewrite (L _ (I j ltac:(lia))), (L _ (I (Datatypes.S j) ltac:(lia))); unfold width in *; field;
    lra.
  - change (nth 0 (p :: kept) p) with p; lra.
  - rewrite nth_of_last, (last_default kept p p (0, 0)); exact B.
Qed.
(** RS-REL-6/L2: by the text, if min < max and med = min, med = max or W = med, all control points
    lie on one line, and phi(s) = (s - min) / (max - min) from min to max *)
Theorem REL_6_L2 by_ S s : S <> [] -> ~ regular by_ S -> let x := rising S in
  let low := score x 1 in let high := score x (size x) in low < high ->
  (forall q, In q (distinct (control_points by_ S)) -> snd q == (fst q - low) / (high - low)) /\
  (low <= s -> s <= high -> phi_of (control_points by_ S) s == (s - low) / (high - low)).
Proof.
  intros N NR x low high LH; destruct (REL_4_L1 by_ S) as [O _]; destruct (text_order by_ S N) as (A
  & B & C); fold x low high in A, B, C.
  unfold regular in NR; fold x low high in NR.
  assert (forall q, In q (distinct (control_points by_ S)) -> snd q == (fst q - low) / (high - low))
  as L.
  { intros q I; pose proof (fun p P E => REL_6_L1_last _ p q O P I E) as K.
    pose proof (distinct_in _ _ I) as J; rewrite (text_points by_ S N) in J, K; fold x low high in
    J, K.
    assert (forall p, In p ((if Qle_bool high (upper_whisker by_ x) then [] else [(upper_whisker by_
    x, 1 - alpha low (upper_whisker by_ x) high)]) ++ [(high, 1)]) -> snd p == (fst p - low) / (high
      - low))
      as T.
    { intros p; bools; cbn [app In]; intros P; repeat (destruct P as [<-|P]; [cbn [fst snd]|]);
      try contradiction; try (field; lra); apply REL_3_L2; assumption. }
    destruct J as [<-|[<-|J]]; [cbn [fst snd]; field; lra| |apply T, J]; cbn [fst snd] in *.
    destruct (Qlt_le_dec low (median x)) as [L1|L1];
    [|assert (median x == low) as -> by lra; field; lra]; exfalso.
    destruct (Qlt_le_dec (median x) high) as [L2|L2].
    - destruct (Qlt_le_dec (median x) (upper_whisker by_ x)) as [L3|L3]; [apply NR; auto|].
      specialize (K (upper_whisker by_ x, 1 - alpha low (upper_whisker by_ x) high)).
      cbn [fst snd] in K; assert (0 < (upper_whisker by_ x - low) / (high - low)) by
        (apply Qlt_shift_div_l; lra).
      assert (upper_whisker by_ x == median x) as M by lra.
      assert (1 - alpha low (upper_whisker by_ x) high <= 0) as Z; [|rewrite (REL_3_L2 low _ high
      LH) in Z; lra]; apply K; [|exact M]; right; right; bools; [lra|left; reflexivity].
    - assert (1 <= 0); [|lra]; apply (K (high, 1)); [|cbn; lra].
      right; right; apply in_or_app; right; left; reflexivity. }
  split; [exact L|]; intros S1 S2.
  assert (phi_of (control_points by_ S) s == 0 + / (high - low) * (s - low)) as ->; [|field; lra].
  apply phi_of_line; [exact O| | | |].
  - destruct (distinct_rises _ O) as [_ F]; rewrite (text_points by_ S N) in *; intros E; rewrite E
  in F; exact F.
  - intros q Q; rewrite (L q Q); field; lra.
  - rewrite (text_points by_ S N); exact S1.
  - rewrite (text_points by_ S N), !app_comm_cons, last_last; exact S2.
Qed.

(** RS-REL-6/L2: ... in the words of the law *)
Corollary REL_6_L2_cases by_ S s : S <> [] -> let x := rising S in let med := median x in
  let low := score x 1 in let high := score x (size x) in low < high ->
  med == low \/ med == high \/ upper_whisker by_ x == med -> low <= s -> s <= high ->
  phi_of (control_points by_ S) s == (s - low) / (high - low).
Proof.
  intros N x med low high L C A B; destruct (REL_6_L2 by_ S s N) as [_ E]; [|exact L|exact (E A B)].
  unfold regular; fold x med low high; intros (P & Q & R); destruct C as [C|[C|C]]; lra.
Qed.
Lemma regular_or by_ S : regular by_ S \/ ~ regular by_ S.
Proof.
  unfold regular; cbv zeta; destruct (Qlt_le_dec (score (rising S) 1) (median (rising S))),
  (Qlt_le_dec (median (rising S)) (score (rising S) (size (rising S)))),
  (Qlt_le_dec (median (rising S)) (upper_whisker by_ (rising S))); (left; repeat split; assumption)
  ||
  (right; intros (? & ? & ?); lra).
Qed.

(** The regular case: the points and the curve *)
Lemma regular_points by_ S s : S <> [] -> regular by_ S -> let x := rising S in
  let low := score x 1 in let high := score x (size x) in let W := upper_whisker by_ x in
  (high <= W -> control_points by_ S = [(low, 0); (median x, 0); (high, 1)]) /\
  (W < high -> exists X Y, rises 3 X Y /\ phi_of (control_points by_ S) s = phi 3 X Y s /\
   X 0%nat = low /\ X 1%nat = median x /\ X 2%nat = W /\ X 3%nat = high /\ Y 0%nat = 0 /\ Y 1%nat =
   0 /\ Y 2%nat = 1 - alpha low W high /\ Y 3%nat = 1).
Proof.
  intros N (A & B & C); cbv zeta; set (x := rising S) in *; set (low := score x 1) in *.
  set (high := score x (size x)) in *; set (W := upper_whisker by_ x) in *.
  pose proof (text_points by_ S N) as P; cbv zeta in P; fold x low high W in P; split; intros L.
  - rewrite P; bools; [reflexivity|lra].
  - assert (control_points by_ S = [(low, 0); (median x, 0); (W, 1 - alpha low W high); (high, 1)])
  as E by (rewrite P; bools; [lra|reflexivity]); rewrite E.
    destruct (REL_3_L1 low W high ltac:(lra)) as [[U V] _].
    assert (rises_strictly [(low, 0); (median x, 0); (W, 1 - alpha low W high); (high, 1)]) as R by
      (cbn [rises_strictly fst snd]; repeat split; lra).
    destruct (phi_of_points _ _ s R (distinct_strictly _ R)) as [F H]; cbn [length] in H, F.
    exists (fun j => fst (nth j [(low, 0); (median x, 0); (W, 1 - alpha low W high); (high, 1)]
    (low, 0))), (fun j => snd (nth j [(low, 0); (median x, 0); (W, 1 - alpha low W high); (high, 1)]
    (low, 0))).
    split; [exact H|]; split; [exact F|]; repeat split; reflexivity.
Qed.
(** RS-REL-8/L4: by the text, without an outlier, phi is that of three points *)
Theorem REL_8_L4_text by_ S : S <> [] -> let x := rising S in score x 1 < median x ->
  median x < score x (size x) -> score x (size x) <= upper_whisker by_ x ->
  control_points by_ S = [(score x 1, 0); (median x, 0); (score x (size x), 1)].
Proof.
  intros N x A B C; destruct (regular_points by_ S 0 N) as [E _]; [|apply E, C].
  unfold regular; fold x; repeat split; lra.
Qed.
(** RS-REL-9/L2: by the text, if min < med < max and W > med, phi(s) = 0 for s <= med, and
    phi(s) > 0 for s > med *)
Theorem REL_9_L2 by_ S s : S <> [] -> regular by_ S ->
  (s <= median (rising S) -> phi_of (control_points by_ S) s == 0) /\
  (median (rising S) < s -> 0 < phi_of (control_points by_ S) s).
Proof.
  intros N G; pose proof G as (A & B & C); cbv zeta in *; destruct (regular_points by_ S s N G) as
  [P Q].
  set (x := rising S) in *; destruct (Qlt_le_dec (upper_whisker by_ x) (score x (size x))) as [L|L].
  - destruct (Q L) as (X & Y & H & -> & X0 & X1 & X2 & X3 & Y0 & Y1 & Y2 & Y3); clear P Q; split;
  intros S1.
    + apply Qle_antisym.
      * rewrite <- Y1, <- (REL_8_L1 3 X Y 1 H), X1 by lia; apply REL_8_L2; assumption.
      * rewrite <- Y0; apply REL_8_L3; assumption.
    + rewrite <- Y1; apply phi_above; [assumption|lia| |rewrite X1; assumption].
      rewrite Y1, Y2, REL_3_L2 by lra; apply Qlt_shift_div_l; lra.
  - rewrite (P L); destruct (REL_8_L4_phi (score x 1) (median x) (score x (size x)) s A B) as (R & E
  & F & _).
    split; [exact E|]; intros S1; destruct (Qlt_le_dec s (score x (size x))) as [S2|S2].
    + rewrite F by lra; set (h1 := score x (size x) - median x) in *; assert (0 < h1) by (unfold h1;
    lra).
      set (t := (s - median x) / h1); assert (0 < t <= 1) as T by (unfold t; split;
      [apply Qlt_shift_div_l|apply Qle_shift_div_r; unfold h1]; lra).
      set (c := bend _ _) in *; unfold curve.
      assert (0 < t * t) by nra; assert (0 < 3 - 2 * t - c * (1 - t)) by nra.
      assert (t * t * (3 - 2 * t) - c * (t * t) * (1 - t) == t * t * (3 - 2 * t - c * (1 - t))) as
      -> by ring.
      apply Qmult_lt_0_compat; assumption.
    + destruct (REL_9_L1_text by_ S) as [M _]; specialize (M _ _ S2); rewrite (P L) in M.
      pose proof (REL_9_L1_highest by_ S N) as T; rewrite (P L) in T; fold x in T.
      replace (Z.of_nat (length S)) with (size x) in T by (unfold size, x; rewrite rising_length;
      reflexivity); rewrite T in M; lra.
Qed.
(** RS-REL-9/L2: ... at most half of the items have any relevance *)
Theorem REL_9_L2_half by_ S : S <> [] -> regular by_ S ->
  (2 * length (filter (fun s => negb (Qle_bool (phi_of (control_points by_ S) s) 0)) S) <= length
  S)%nat.
Proof.
  intros N G; rewrite (filter_length_perm _ _ _ (rising_perm S)), <- (rising_length S).
  pose proof (rising_sorted S : sorted (rising S)) as X; pose proof (rising_some S N) as L.
  set (x := rising S) in *; set (f := fun s => _); set (k := (length x - length x / 2)%nat).
  rewrite <- (firstn_skipn k x) at 1; rewrite filter_app, (filter_none f (firstn k x)).
  - pose proof (filter_length_le f (skipn k x)); rewrite skipn_length in *; cbn [app].
    pose proof (Nat.div_mod (length x) 2 ltac:(lia)); unfold k in *; lia.
  - intros s I; unfold f; apply Bool.negb_false_iff, Qle_bool_iff.
    destruct (REL_9_L2 by_ S s N G) as [Z _]; fold x in Z; rewrite Z; [lra|].
    apply In_nth with (d := 0) in I; destruct I as (i & I & <-); rewrite firstn_length in I.
    assert (i < k)%nat as K by lia; clear I.
    assert (nth i (firstn k x) 0 = score x (Z.of_nat i + 1)) as ->.
    { unfold score; replace (Z.to_nat (Z.of_nat i + 1 - 1)) with i by lia.
      rewrite <- (firstn_skipn k x) at 2; rewrite app_nth1 by (rewrite firstn_length; lia);
      reflexivity. }
    assert ((size x / 2)%Z = Z.of_nat (length x / 2)) as D by (unfold size; rewrite Nat2Z.inj_div;
    reflexivity); pose proof (Nat.div_mod (length x) 2 ltac:(lia)) as DM.
    pose proof (Nat.mod_upper_bound (length x) 2 ltac:(lia)).
    destruct (median_halves x X L) as [[E M]|[E M]]; rewrite D in E, M; rewrite E.
    + apply score_rises; [assumption|lia|unfold k in K; unfold size in M; lia|unfold size in M;
    lia].
    + set (h := Z.of_nat (length x / 2)) in *; assert (Z.of_nat i + 1 <= h)%Z by
        (unfold k in K; unfold size in M; lia).
      pose proof (score_rises x (Z.of_nat i + 1) h X ltac:(lia) ltac:(lia) ltac:(unfold size in M;
      lia)).
      pose proof (score_rises x h (h + 1) X ltac:(unfold h in *; lia) ltac:(lia) ltac:(unfold size
      in M; lia)); apply Qle_shift_div_l; lra.
Qed.
(** RS-REL-9/L2: ... otherwise, if min < max, only the lowest score has none *)
Theorem REL_9_L2_otherwise by_ S s : S <> [] -> ~ regular by_ S -> let x := rising S in
  score x 1 < score x (size x) -> In s S ->
  (phi_of (control_points by_ S) s == 0 <-> s == score x 1).
Proof.
  intros N G x L I; apply (Permutation_in _ (rising_perm S)) in I; fold x in I.
  pose proof (score_le x s (rising_sorted S) I) as U; assert (score x 1 <= s) as V.
  { apply In_nth with (d := 0) in I; destruct I as (i & I & <-); apply (rising_sorted S); fold x;
  lia. } destruct (REL_6_L2 by_ S s N G L) as [_ E]; fold x in E; rewrite E by assumption.
  set (d := score x (size x) - score x 1) in *; assert (0 < d) by (unfold d; lra).
  assert ((s - score x 1) / d * d == s - score x 1) as F by (field; lra); split; intros Z.
  - rewrite Z in F; lra.
  - assert (s - score x 1 == 0) as -> by lra; field; lra.
Qed.
Lemma text_lowest by_ S : S <> [] -> score (rising S) 1 < score (rising S) (size (rising S)) ->
  phi_of (control_points by_ S) (score (rising S) 1) == 0.
Proof.
  intros N L; destruct (regular_or by_ S) as [G|G].
  - apply REL_9_L2; [assumption..|]; destruct G; lra.
  - destruct (REL_6_L2 by_ S (score (rising S) 1) N G L) as [_ E]; rewrite E by lra; field; lra.
Qed.

(** RS-REL-9/L5: by the text, for W <= s <= max with W < max,
    1 - alpha <= phi(s) <= ((W - min) + 3 (s - W)) / (max - min) *)
Theorem REL_9_L5 by_ S s : S <> [] -> let x := rising S in let low := score x 1 in
  let high := score x (size x) in let W := upper_whisker by_ x in W < high -> W <= s -> s <= high ->
  1 - alpha low W high <= phi_of (control_points by_ S) s /\
  phi_of (control_points by_ S) s <= ((W - low) + 3 * (s - W)) / (high - low).
Proof.
  intros N x low high W L S1 S2; destruct (text_order by_ S N) as (A & B & C); fold x low high W in
  A, B, C.
  rewrite REL_3_L2 by lra; destruct (regular_or by_ S) as [G|G].
  - destruct (regular_points by_ S s N G) as [_ Q]; fold x low high W in Q.
    destruct (Q L) as (X & Y & H & -> & X0 & X1 & X2 & X3 & Y0 & Y1 & Y2 & Y3); clear Q.
    assert (Y 2%nat == (W - low) / (high - low)) as E by (rewrite Y2; apply REL_3_L2; lra).
    assert (phi 3 X Y W == Y 2%nat) as F by (rewrite <- (REL_8_L1 3 X Y 2 H), X2 by lia;
    reflexivity).
    destruct (phi_steep 3 X Y 2 W s H) as [U _]; try (rewrite ?X2, ?X3; lia || lra).
    assert (chord X Y 2 == 1 / (high - low)) as K.
    { unfold chord, width; rewrite X2, X3, Y3, E; field; lra. }
    rewrite K in U; pose proof (REL_8_L2 3 X Y W s H S1) as M; rewrite F, E in *; split; [exact M|].
    setoid_replace ((W - low + 3 * (s - W)) / (high - low)) with
      ((W - low) / (high - low) + 3 * (1 / (high - low)) * (s - W)) by (field; lra); lra.
  - destruct (REL_6_L2 by_ S s N G ltac:(fold x low high; lra)) as [_ E]; fold x low high in E.
    rewrite E by lra; split; apply Qmult_le_compat_r; try lra; apply Qinv_le_0_compat; lra.
Qed.
(** phi is at most 6 times the line from (min, 0) to (max, 1). *)
Lemma text_bound by_ S s : S <> [] -> let x := rising S in let low := score x 1 in
  let high := score x (size x) in low < high -> low <= s -> s <= high ->
  phi_of (control_points by_ S) s <= 6 * ((s - low) / (high - low)).
Proof.
  intros N x low high L S1 S2; destruct (text_order by_ S N) as (A & B & C); fold x low high in A,
  B, C.
  assert (0 <= (s - low) / (high - low)) as P by (apply Qle_shift_div_l; lra).
  destruct (regular_or by_ S) as [G|G].
  2: { destruct (REL_6_L2 by_ S s N G L) as [_ E]; fold x low high in E; rewrite E by assumption;
  lra. } destruct (Qlt_le_dec (median x) s) as [S3|S3].
  2: { destruct (REL_9_L2 by_ S s N G) as [Z _]; fold x in Z; rewrite Z by assumption; lra. }
  set (W := upper_whisker by_ x) in *; destruct (Qlt_le_dec W high) as [K|K].
  - destruct (Qlt_le_dec s W) as [S4|S4].
    + destruct (regular_points by_ S s N G) as [_ Q]; fold x low high W in Q.
      destruct (Q K) as (X & Y & H & -> & X0 & X1 & X2 & X3 & Y0 & Y1 & Y2 & Y3); clear Q.
      assert (Y 2%nat == (W - low) / (high - low)) as E by (rewrite Y2; apply REL_3_L2; lra).
      destruct (Qlt_le_dec ((W - median x) * 2) (W - low)) as [R|R].
      * apply Qle_trans with (Y 2%nat).
        { rewrite <- (REL_8_L1 3 X Y 2 H), X2 by lia; apply REL_8_L2; [assumption|lra]. }
        rewrite E; setoid_replace (6 * ((s - low) / (high - low))) with ((6 * (s - low)) / (high -
        low)) by (field; lra); apply Qmult_le_compat_r; [lra|apply Qinv_le_0_compat; lra].
      * destruct (phi_steep 3 X Y 1 (median x) s H) as [U _]; try (rewrite ?X1, ?X2; lia || lra).
        assert (phi 3 X Y (median x) == 0) as F by (rewrite <- X1, (REL_8_L1 3 X Y 1 H), Y1 by lia;
        reflexivity).
        assert (chord X Y 1 == (W - low) / ((high - low) * (W - median x))) as T.
        { unfold chord, width; rewrite X1, X2, Y1, E; field; split; lra. }
        assert (chord X Y 1 <= 2 / (high - low)) as V.
        { rewrite T; apply Qle_shift_div_r; [apply Qmult_lt_0_compat; lra|].
          setoid_replace (2 / (high - low) * ((high - low) * (W - median x))) with (2 * (W - median
          x)) by (field; lra); lra. }
        assert (3 * chord X Y 1 * (s - median x) <= 6 / (high - low) * (s - median x)) as V'.
        { apply Qmult_le_compat_r; [|lra]; setoid_replace (6 / (high - low)) with (3 * (2 / (high -
        low))) by (field; lra); lra. } rewrite F in U; apply Qle_trans with (6 / (high - low) * (s -
        median x)); [lra|].
        setoid_replace (6 * ((s - low) / (high - low))) with (6 / (high - low) * (s - low)) by
        (field; lra).
        rewrite !(Qmult_comm (6 / (high - low))); apply Qmult_le_compat_r; [lra|].
        apply Qle_shift_div_l; lra.
    + destruct (REL_9_L5 by_ S s N K S4 S2) as [_ U]; fold x low high W in U; eapply Qle_trans;
    [exact U|].
      setoid_replace (6 * ((s - low) / (high - low))) with ((6 * (s - low)) / (high - low)) by
      (field; lra).
      apply Qmult_le_compat_r; [lra|apply Qinv_le_0_compat; lra].
  - destruct G as (G1 & G2 & _); cbv zeta in G1, G2; fold x low high in G1, G2.
    rewrite (REL_8_L4_text by_ S N) by (fold x low high W; lra); fold x low high.
    destruct (REL_8_L4_phi low (median x) high s) as (R & _ & F & _); [lra|lra|].
    rewrite F by lra; set (h1 := high - median x) in *; set (t := (s - median x) / h1).
    set (c := bend _ _) in *; assert (0 < h1) by (unfold h1; lra).
    assert (0 <= t <= 1) as T by (unfold t; split; [apply Qle_shift_div_l|apply Qle_shift_div_r;
    unfold h1]; lra).
    apply Qle_trans with t.
    + destruct (Qlt_le_dec t 1); [apply Qlt_le_weak, REL_8_L4_chord; [exact R|split; [unfold t;
      apply Qlt_shift_div_l; lra|assumption]]|]; assert (t == 1) as -> by lra; unfold curve; lra.
    + assert (t <= (s - low) / (high - low)); [|lra]; unfold t, h1.
      apply Qle_shift_div_r; [lra|]; setoid_replace ((s - low) / (high - low) * (high - median x))
      with ((s - low) * (high - median x) / (high - low)) by (field; lra); apply Qle_shift_div_l;
        [lra|nra].
Qed.
Lemma rising_low S s : In s S -> score (rising S) 1 <= s /\ s <= score (rising S) (size (rising S)).
Proof.
  intros I; apply (Permutation_in _ (rising_perm S)) in I; split; [|apply score_le; [apply
  rising_sorted|assumption]]; apply In_nth with (d := 0) in I; destruct I as (i & I & <-).
  apply (rising_sorted S); lia.
Qed.
Lemma lowest_in S : S <> [] -> In (score (rising S) 1) S /\ In (score (rising S) (size (rising S)))
  S.
Proof.
  intros N; pose proof (rising_some S N); split; (eapply Permutation_in; [symmetry; apply
  rising_perm|]; apply nth_In; unfold size; lia).
Qed.
(** RS-REL-9/L5: ... where the highest score grows and all others stay, every other relevance tends
    to 0 *)
Theorem REL_9_L5_limit by_ S s e : In s S -> 0 < e -> exists most, forall high, most < high ->
  0 <= phi_of (control_points by_ (high :: S)) s /\ phi_of (control_points by_ (high :: S)) s < e.
Proof.
  intros I E; assert (S <> []) as N by (intros Z; rewrite Z in I; exact I).
  destruct (lowest_in S N) as [L _]; set (low := score (rising S) 1) in *.
  pose proof (proj1 (rising_low S s I)) as LS; fold low in LS.
  set (top := score (rising S) (size (rising S))).
  exists (Qabs.Qabs top + Qabs.Qabs low + 6 * (s - low) / e + low); intros high H.
  assert (0 <= 6 * (s - low) / e) as P by (apply Qle_shift_div_l; lra).
  pose proof (Qabs.Qle_Qabs top); pose proof (Qabs.Qle_Qabs low); pose proof (Qabs.Qabs_nonneg low);
  pose proof (Qabs.Qabs_nonneg top).
  assert (top < high) as TH.
  { assert (- low <= Qabs.Qabs low) by (rewrite <- Qabs.Qabs_opp; apply Qabs.Qle_Qabs); lra. }
  assert (forall t, In t S -> low <= t <= top) as B by (intros t T; destruct (rising_low S t T);
  split; assumption).
  assert (high :: S <> []) as N' by discriminate; destruct (lowest_in (high :: S) N') as [L' H'].
  pose proof (rising_low (high :: S)) as R; set (y := rising (high :: S)) in *.
  assert (score y (size y) == high) as EH.
  { pose proof (R high (or_introl eq_refl)); destruct H' as [<-|H']; [reflexivity|];
    pose proof (B _ H'); lra. }
  assert (score y 1 == low) as EL.
  { pose proof (R low (or_intror L)); destruct L' as [L'|L']; [pose proof (B low L); rewrite <- L'
  in *; lra|pose proof (B _ L'); lra]. } split; [apply (proj2 (REL_9_L1_text by_ (high :: S)))|].
  eapply Qle_lt_trans; [apply text_bound; [assumption|fold y; rewrite EL, EH; pose proof (B low L);
  lra| apply (R s (or_intror I))|apply (R s (or_intror I))]|]; fold y; rewrite EL, EH.
  pose proof (B low L); assert (6 * (s - low) / e * e == 6 * (s - low)) as F by (field; lra).
  setoid_replace (6 * ((s - low) / (high - low))) with (6 * (s - low) / (high - low)) by (field;
  lra).
  apply Qlt_shift_div_r; [lra|]; rewrite <- F, Qmult_comm; apply Qmult_lt_l; [assumption|lra].
Qed.

(** ** The program, and two distinct scores *)

Lemma phi_of_le points s t : in_order points -> Forall (fun p => 0 <= snd p <= 1) points -> s <= t
  -> phi_of points s <= phi_of points t.
Proof. intros O F L; apply (REL_9_L1 points O F), L. Qed.
Lemma distinct_has points p : In p points -> exists q, In q (distinct points) /\ fst q == fst p.
Proof.
  revert p; induction points as [|a points IH]; intros p P; [contradiction|].
  destruct points as [|b points]; [destruct P as [<-|[]]; exists a; split; [left;
  auto|reflexivity]|].
  change (distinct (a :: b :: points)) with (if Qeq_bool (fst a) (fst b) then distinct (b :: points)
    else a :: distinct (b :: points)); destruct P as [<-|P].
  - destruct (Qeq_bool (fst a) (fst b)) eqn:E; [|exists a; split; [left; auto|reflexivity]].
    apply Qeq_bool_iff in E; destruct (IH b (or_introl eq_refl)) as (q & Q & F); exists q; split;
    [assumption|rewrite F, E; reflexivity].
  - destruct (IH p P) as (q & Q & F); exists q; split; [|assumption].
    destruct (Qeq_bool (fst a) (fst b)); [assumption|right; assumption].
Qed.
(** phi at the score of a point: the last relevance there *)
Lemma phi_of_at points m y : in_order points -> Forall (fun p => 0 <= snd p <= 1) points ->
  (exists p, In p points /\ fst p == m) -> (forall p, In p points -> fst p == m -> snd p == y) ->
  phi_of points m == y.
Proof.
  intros O F (p & P & E) A; destruct (distinct_has points p P) as (q & Q & G).
  rewrite <- (A q (distinct_in _ _ Q)) by (rewrite G; assumption).
  assert (phi_of points (fst q) == snd q) as <-.
  { destruct (distinct_rises points O) as [R _]; unfold phi_of; destruct (distinct points) as [|k
  kept]; [contradiction|]; pose proof (rises_of_points k kept R) as H; cbn [length].
    rewrite Nat.sub_succ, Nat.sub_0_r; apply In_nth with (d := k) in Q; destruct Q as (j & J & <-).
    apply (REL_8_L1 _ _ _ j H); cbn in J; lia. }
  apply Qle_antisym; apply phi_of_le; try assumption; rewrite G, E; lra.
Qed.

Lemma positive_in S s : In s (positive_scores S) <-> In s S /\ 0 < s.
Proof.
  unfold positive_scores; rewrite filter_In, Bool.negb_true_iff; split; intros [A B]; (split;
  [assumption|]).
  - apply Qnot_le_lt; intros K; apply Qle_bool_iff in K; congruence.
  - destruct (Qle_bool s 0) eqn:K; [apply Qle_bool_iff in K; lra|reflexivity].
Qed.
Lemma program_highest by_ S : positive_scores S <> [] -> let x := rising (positive_scores S) in
  phi_of (control_points_of_program by_ S) (score x (size x)) == 1.
Proof.
  intros N x; destruct (REL_5_L1_points by_ S) as [O _].
  assert (last (control_points_of_program by_ S) (0, 0) = (score x (size x), 1)) as L by
    (rewrite program_points by assumption; fold x; rewrite !app_comm_cons; apply last_last).
  pose proof (phi_of_last _ (0, 0) O) as P; rewrite L in P; apply P; intros Z.
  destruct (distinct_has (control_points_of_program by_ S) (0, 0)) as (q & Q & _); [|rewrite Z in Q;
  exact Q].
  rewrite program_points by assumption; left; reflexivity.
Qed.
(** RS-REL-9/L1: ... by the program the highest score has 1 if it is above 0 *)
Theorem REL_9_L1_program by_ S s : In s S -> 0 < s -> (forall t, In t S -> t <= s) ->
  phi_of (control_points_of_program by_ S) s == 1.
Proof.
  intros I P M; assert (In s (positive_scores S)) as I' by (apply positive_in; auto).
  assert (positive_scores S <> []) as N by (intros E; rewrite E in I'; exact I').
  destruct (REL_5_L1_points by_ S) as [O F]; pose proof (program_highest by_ S N) as T; cbv zeta in
  T.
  destruct (lowest_in _ N) as [_ H]; pose proof (proj2 (rising_low _ s I')) as L.
  apply positive_in in H; destruct H as [H _]; apply M in H.
  apply Qle_antisym; [apply REL_9_L1; assumption|rewrite <- T; apply phi_of_le; assumption].
Qed.
(** RS-REL-9/L1: ... a higher score never has less relevance, and relevances are from 0 to 1 *)
Theorem REL_9_L1_program_range by_ S :
  (forall s t, s <= t -> phi_of (control_points_of_program by_ S) s <=
    phi_of (control_points_of_program by_ S) t) /\
  forall s, 0 <= phi_of (control_points_of_program by_ S) s /\
    phi_of (control_points_of_program by_ S) s <= 1.
Proof. destruct (REL_5_L1_points by_ S); apply REL_9_L1; assumption. Qed.
(** RS-REL-9/L4: by the program an item with a score of 0 or less has relevance 0 *)
Theorem REL_9_L4_zero by_ S s : s <= 0 -> phi_of (control_points_of_program by_ S) s == 0.
Proof.
  intros L; destruct (REL_9_L1_program_range by_ S) as [M R]; apply Qle_antisym; [|apply R].
  destruct (positive_scores S) as [|s0 l] eqn:P; [rewrite program_without by assumption; cbn; lra|].
  assert (positive_scores S <> []) as N by (rewrite P; discriminate); clear P s0 l.
  destruct (REL_5_L1_points by_ S) as [O F]; destruct (REL_5_L1 by_ S N) as (A & B & C & D).
  apply Qle_trans with (phi_of (control_points_of_program by_ S) 0); [apply M, L|].
  apply Qle_lteq; right; apply phi_of_at; [assumption..| |].
  - exists (0, 0); split; [rewrite program_points by assumption; left|]; reflexivity.
  - intros p I E; rewrite program_points in I by assumption; cbv zeta in *.
    destruct I as [<-|[<-|I]]; [reflexivity|reflexivity|exfalso].
    apply in_app_or in I; destruct I as [I|[<-|[]]]; [|cbn in E; lra].
    destruct (Qle_bool _ _); [contradiction|destruct I as [<-|[]]; cbn in E; lra].
Qed.
(** Two distinct scores *)
Definition two_scores lo hi S := lo < hi /\ In lo S /\ In hi S /\ forall s, In s S -> s == lo \/ s
  == hi.
Lemma two_ends lo hi S : two_scores lo hi S ->
  S <> [] /\ score (rising S) 1 == lo /\ score (rising S) (size (rising S)) == hi.
Proof.
  intros (L & A & B & C); assert (S <> []) as N by (intros E; rewrite E in A; exact A).
  destruct (lowest_in S N) as [I J]; pose proof (rising_low S lo A); pose proof (rising_low S hi B).
  destruct (C _ I), (C _ J); repeat split; try assumption; lra.
Qed.
(** RS-REL-6/L3: by the text the lower has relevance 0, the higher 1 ... *)
Theorem REL_6_L3 by_ lo hi S : two_scores lo hi S ->
  phi_of (control_points by_ S) lo == 0 /\ phi_of (control_points by_ S) hi == 1.
Proof.
  intros T; pose proof T as (L & _); destruct (two_ends lo hi S T) as (N & A & B).
  destruct (REL_4_L1 by_ S) as [O F].
  assert (score (rising S) 1 < score (rising S) (size (rising S))) as LT by (rewrite A, B;
  assumption).
  pose proof (text_lowest by_ S N LT) as Z; pose proof (REL_9_L1_highest by_ S N) as H.
  replace (Z.of_nat (length S)) with (size (rising S)) in H by (unfold size; rewrite rising_length;
  reflexivity); split; apply Qle_antisym; try (apply REL_9_L1_text).
  - rewrite <- Z; apply phi_of_le; try assumption; lra.
  - rewrite <- H; apply phi_of_le; try assumption; lra.
Qed.
(** RS-REL-6/L3: ... by the program too, if the higher is above 0 and the lower is not ... *)
Theorem REL_6_L3_program_zero by_ lo hi S : two_scores lo hi S -> lo <= 0 -> 0 < hi ->
  phi_of (control_points_of_program by_ S) lo == 0 /\ phi_of (control_points_of_program by_ S) hi ==
  1.
Proof.
  intros (L & A & B & C) Z P; split; [apply REL_9_L4_zero, Z|apply REL_9_L1_program; try
  assumption].
  intros t T; destruct (C t T); lra.
Qed.
Lemma positive_all S : (forall s, In s S -> 0 < s) -> positive_scores S = S.
Proof.
  intros H; induction S as [|s S IH]; [reflexivity|]; unfold positive_scores in *; cbn [filter].
  destruct (Qle_bool s 0) eqn:E; [apply Qle_bool_iff in E; specialize (H s (or_introl eq_refl));
  lra|].
  cbn [negb]; rewrite IH; [reflexivity|intros; apply H; right; assumption].
Qed.
(** RS-REL-6/L3: ... or the median is not the higher; otherwise the lower has the quotient of the
    two scores *)
Theorem REL_6_L3_program by_ lo hi S : two_scores lo hi S -> 0 < lo ->
  phi_of (control_points_of_program by_ S) hi == 1 /\
  (median (rising S) < hi -> phi_of (control_points_of_program by_ S) lo == 0) /\
  (median (rising S) == hi -> phi_of (control_points_of_program by_ S) lo == lo / hi).
Proof.
  intros T P; pose proof T as (L & A & B & C); destruct (two_ends lo hi S T) as (N & E1 & E2).
  assert (positive_scores S = S) as PS by (apply positive_all; intros s I; destruct (C s I); lra).
  destruct (REL_9_L1_program_range by_ S) as [M R]; destruct (REL_5_L1_points by_ S) as [O F].
  assert (positive_scores S <> []) as N' by (rewrite PS; assumption).
  destruct (REL_5_L1 by_ S N') as (G1 & G2 & G3 & G4); pose proof (program_points by_ S N') as Q.
  cbv zeta in Q; rewrite PS in G1, G2, G3, G4, Q; clear PS N'; set (x := rising S) in *.
  set (Wp := whisker_score by_ x) in *; set (high := score x (size x)) in *; set (low := score x 1)
  in *.
  split; [apply REL_9_L1_program; try assumption; [lra|intros t I; destruct (C t I); lra]|split];
  intros H.
  - apply Qle_antisym; [|apply R]; apply Qle_trans with (phi_of (control_points_of_program by_ S)
  (median x)); [apply M; lra|]; apply Qle_lteq; right; apply phi_of_at; [assumption..| |].
    + exists (median x, 0); split; [rewrite Q; right; left|]; reflexivity.
    + intros p I E; rewrite Q in I; destruct I as [<-|[<-|I]]; [reflexivity|reflexivity|].
      apply in_app_or in I; destruct I as [I|[<-|[]]]; [|cbn in E; lra].
      destruct (Qle_bool high Wp) eqn:K; [contradiction|destruct I as [<-|[]]; cbn [fst snd] in *].
      assert (In Wp S) as J.
      { destruct (score_at_whisker by_ S N) as (s & S1 & S2 & S3); fold x in S1, S2, S3.
        eapply Permutation_in; [symmetry; apply rising_perm|]; fold x.
        apply (last_filter _ x low (rising_sorted S)); exists s; split; [assumption|apply
        Qle_bool_iff; assumption]. }
      destruct (C _ J) as [W|W]; [|lra]; rewrite REL_3_L2 by lra.
      assert (Wp == low) as -> by lra; field; lra.
  - assert (phi_of (control_points_of_program by_ S) lo == 0 + / hi * (lo - 0)) as ->; [|field;
  lra].
    apply phi_of_line; [assumption| | | |].
    + destruct (distinct_has (control_points_of_program by_ S) (0, 0)) as (q & J & _); [rewrite Q;
    left; reflexivity|intros Z; rewrite Z in J; exact J].
    + intros q J; pose proof (REL_6_L1_last _ (high, 1) q O ltac:(rewrite Q; right; right; apply
    in_or_app; right; left; reflexivity) J) as K; apply distinct_in in J; rewrite Q in J.
      destruct J as [<-|[<-|J]]; cbn [fst snd] in *; [field; lra|exfalso; assert (1 <= 0) by (apply
      K; lra); lra|].
      apply in_app_or in J; destruct J as [J|[<-|[]]]; [|cbn [fst snd]; field_simplify_eq; lra].
      destruct (Qle_bool high Wp) eqn:U; [contradiction|]; exfalso.
      apply (Bool.eq_true_false_abs _) with (2 := U); apply Qle_bool_iff; lra.
    + rewrite Q; cbn; lra.
    + rewrite Q, !app_comm_cons, last_last; cbn; lra.
Qed.

(** * As the core computes it *)

(** RS-NUM-14: phi = Y_k + Delta (beta t u^2 + t^2 (eta u + t)), a sum without a negative term *)
Theorem form_of_the_core t h y0 y1 d0 d1 : 0 < h -> 0 <= t <= 1 -> let D := (y1 - y0) / h in 0 < D
  -> 0 <= d0 <= 3 * D -> 0 <= d1 <= 3 * D -> let u := 1 - t in let beta := d0 / D in let eta := 3 -
  d1 / D in hermite t h y0 y1 d0 d1 == y0 + (y1 - y0) * (beta * t * (u * u) + t * t * (eta * u + t))
  /\ 0 <= beta /\ 0 <= eta.
Proof.
  intros H T D P H0 H1 u beta eta; assert (D * h == y1 - y0) as E by (unfold D; field; lra); split.
  - assert (y1 == y0 + D * h) as -> by lra; unfold hermite, beta, eta, u; cbv zeta; field; lra.
  - unfold beta, eta; split; [apply Qle_shift_div_l; lra|].
    assert (d1 / D <= 3) by (apply Qle_shift_div_r; lra); lra.
Qed.
(** RS-NUM-14: eta before a control point and beta behind it, with r = D0 / D1 and W = w0 + w1 r *)
Theorem inner_of_the_core h0 h1 D0 D1 : 0 < h0 -> 0 < h1 -> 0 < D0 -> 0 < D1 ->
  let d := interior_slope h0 h1 D0 D1 in let r := D0 / D1 in let w0 := 2 * h1 + h0 in
  let w1 := h1 + 2 * h0 in let W := w0 + w1 * r in
  3 - d / D0 == (3 * h1 + 3 * w1 * r) / W /\ d / D1 == 3 * (h0 + h1) * r / W.
Proof.
  intros P0 P1 Q0 Q1 d r w0 w1 W; unfold d, interior_slope; bools; [nra|]; cbv zeta.
  unfold W, w0, w1, r; assert (0 < (2 * h1 + h0) * D1 + (h1 + 2 * h0) * D0) by nra.
  split; field; repeat split; lra.
Qed.
(** RS-NUM-14: ... at the ends, h0 and D0 being the outer interval and r = D1 / D0: eta in the last
    interval, and beta in the first *)
Theorem ends_of_the_core h0 h1 D0 D1 : 0 < h0 -> 0 < h1 -> 0 < D0 -> 0 <= D1 ->
  let d := end_slope h0 h1 D0 D1 in let r := D1 / D0 in
  3 - d / D0 == Qmin 3 ((h0 + 2 * h1 + h0 * r) / (h0 + h1)) /\
  d / D0 == Qmax 0 (((2 * h0 + h1) - h0 * r) / (h0 + h1)).
Proof.
  intros P0 P1 Q0 Q1 d r; destruct (REL_7_L5 h0 h1 D0 D1 P0 P1 ltac:(lra) Q1) as (_ & _ & E & _).
  fold d in E; set (x := ((2 * h0 + h1) - h0 * r) / (h0 + h1)).
  assert ((h0 + 2 * h1 + h0 * r) / (h0 + h1) == 3 - x) as -> by (unfold x; field; lra).
  assert (((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1) == x * D0) as F by (unfold x, r; field; lra).
  assert (d / D0 == Qmax 0 x) as G.
  { rewrite E, (Qle_bool_same _ 0 x 0) by (rewrite F; assert (0 < D0 * D0) by nra;
    setoid_replace (x * D0 * D0) with (x * (D0 * D0)) by ring; split; intros; nra); bools.
    - rewrite Q.max_l by assumption; field; lra.
    - rewrite Q.max_r, F by lra; field; lra. }
  split; [|exact G]; rewrite G; destruct (Qlt_le_dec 0 x).
  - rewrite Q.max_r, Q.min_r by lra; reflexivity.
  - rewrite Q.max_l, Q.min_l by lra; ring.
Qed.

(** * Gains and DCG of relevances *)
Require Import Lra Sorted.
Close Scope Q_scope.
Open Scope R_scope.

(** RS-REL-10/L2: ... phi - g is greatest for phi = -log2 ln 2, where it is 1 - (1 + ln ln 2) / ln 2
    *)
Theorem REL_10_L2_greatest x : let at_ := - log 2 (ln 2) in
  x - exp2 x <= at_ - exp2 at_ /\ at_ - exp2 at_ = 1 - (1 + ln (ln 2)) / ln 2 /\
  (x - exp2 x = at_ - exp2 at_ -> x = at_).
Proof.
  intros at_; pose proof (ln_pos 2 ltac:(lra)) as P.
  assert (Rpower 2 at_ = / ln 2) as V.
  { unfold Rpower, at_, log; replace (- (ln (ln 2) / ln 2) * ln 2) with (- ln (ln 2)) by (field;
  lra).
    rewrite exp_Ropp, exp_ln by assumption; reflexivity. }
  assert (at_ - exp2 at_ = 1 - (1 + ln (ln 2)) / ln 2) as E by
    (unfold exp2; rewrite V; unfold at_, log; field; lra).
  assert (x <> at_ -> x - exp2 x < at_ - exp2 at_) as strict.
  { intros N; rewrite E; unfold exp2, Rpower.
    pose proof (exp_ineq1 (x * ln 2 + ln (ln 2))) as T.
    rewrite exp_plus, exp_ln in T by assumption.
    assert (x * ln 2 + ln (ln 2) <> 0) as Z.
    { intros Z; apply N; unfold at_, log; apply (Rmult_eq_reg_r (ln 2)); [|lra].
      replace (- (ln (ln 2) / ln 2) * ln 2) with (- ln (ln 2)) by (field; lra); lra. }
    specialize (T Z); set (e := exp (x * ln 2)) in *.
    replace ((1 + ln (ln 2)) / ln 2) with ((1 + (x * ln 2 + ln (ln 2))) / ln 2 - x) by (field; lra).
    assert ((1 + (x * ln 2 + ln (ln 2))) / ln 2 < e) by (apply div_lt; assumption); lra. }
  destruct (Req_dec x at_) as [->|N]; [split; [lra|split; [exact E|reflexivity]]|].
  specialize (strict N); split; [lra|split; [exact E|intros; lra]].
Qed.

Lemma gain_phi_eq x y : (x == y)%Q -> gain_phi x = gain_phi y.
Proof. intros E; unfold gain_phi; rewrite (Qeq_eqR x y E); reflexivity. Qed.
(** Scores that are mapped, and the same relevances *)
Lemma dcg_phi_map k d f f' (g : Q -> Q) r : (forall s, (f' (g s) == f s)%Q) ->
  dcg_phi k d f' (map g r) = dcg_phi k d f r.
Proof.
  intros H; unfold dcg_phi; rewrite map_map; f_equal; apply map_ext; intro; apply gain_phi_eq, H.
Qed.
Lemma ndcg_phi_map k d f f' (g : Q -> Q) r S : (forall s, (f' (g s) == f s)%Q) ->
  ndcg_phi k d f' (map g r) (map g S) = ndcg_phi k d f r S.
Proof.
  intros H; unfold ndcg_phi; rewrite !map_map; f_equal; apply map_ext; intro; apply gain_phi_eq, H.
Qed.
Definition scores_scaled (a b : Q) := map (fun s => (a * s + b)%Q).
Lemma phi_of_program_scaled a by_ S s : (0 < a)%Q ->
  (phi_of (control_points_of_program by_ (scores_scaled a 0 S)) (a * s + 0) ==
   phi_of (control_points_of_program by_ S) s)%Q.
Proof.
  intros A; apply phi_of_scale with (a := a) (b := 0%Q); [assumption|apply REL_5_L1_points|apply
  REL_5_L3; assumption|reflexivity].
Qed.
(** RS-REL-11/L4: by the text it does not change when all scores, of list and pool, become a s + b;
    by the program, a s *)
Theorem REL_11_L4 a b k d by_ r S : (0 < a)%Q ->
  dcg_phi k d (phi_of (control_points by_ (scores_scaled a b S))) (scores_scaled a b r) =
  dcg_phi k d (phi_of (control_points by_ S)) r /\
  dcg_phi k d (phi_of (control_points_of_program by_ (scores_scaled a 0 S))) (scores_scaled a 0 r) =
  dcg_phi k d (phi_of (control_points_of_program by_ S)) r.
Proof.
  intros A; split; apply dcg_phi_map; intro s; [apply REL_9_L3; assumption|apply
  phi_of_program_scaled; assumption].
Qed.
(** RS-REL-11/L5: where relevance is 0 up to med, any two scores up to med can be exchanged without
    a change *)
Theorem REL_11_L5 k d by_ S p x q y t : S <> [] -> regular by_ S ->
  (x <= median (rising S))%Q -> (y <= median (rising S))%Q ->
  let f := phi_of (control_points by_ S) in
  dcg_phi k d f (p ++ x :: q ++ y :: t) = dcg_phi k d f (p ++ y :: q ++ x :: t).
Proof.
  intros N G A B f; destruct (REL_9_L2 by_ S x N G) as [X _], (REL_9_L2 by_ S y N G) as [Y _].
  assert (gain_phi (f x) = gain_phi (f y)) as E by (apply gain_phi_eq; unfold f; rewrite X, Y by
  assumption; reflexivity).
  unfold dcg_phi; repeat (rewrite !map_app || cbn [map]); rewrite E; reflexivity.
Qed.
(** RS-REL-12/L3: of two distinct scores, by the text, it is nDCG@k of binary labels, 1 for the
    higher *)
Theorem REL_12_L3 k d by_ lo hi r S : two_scores lo hi S -> (forall s, In s r -> s == lo \/ s ==
  hi)%Q -> ndcg_phi k d (phi_of (control_points by_ S)) r S =
  ndcg k d (map (fun s => if Qeq_bool s hi then 1 else 0) r)
    (map (fun s => if Qeq_bool s hi then 1 else 0) S).
Proof.
  intros T R; destruct (REL_6_L3 by_ lo hi S T) as [A B]; destruct (REL_9_L1_text by_ S) as [M _].
  assert (forall s, (s == lo \/ s == hi)%Q -> gain_phi (phi_of (control_points by_ S) s) =
    if Qeq_bool s hi then 1 else 0) as E.
  { destruct T as (L & _); intros s C; assert (forall t y, (s == t)%Q -> (phi_of (control_points by_
  S) t == y)%Q -> (phi_of (control_points by_ S) s == y)%Q) as same.
    { intros t y E F; rewrite <- F; apply Qle_antisym; apply M; rewrite E; apply Qle_refl. }
    destruct (Qeq_bool s hi) eqn:Q.
    - apply Qeq_bool_iff in Q; rewrite (gain_phi_eq _ _ (same _ _ Q B)); unfold gain_phi;
      rewrite Q2R_1, exp2_1; reflexivity.
    - destruct C as [C|C]; [|apply Qeq_bool_iff in C; congruence].
      rewrite (gain_phi_eq _ _ (same _ _ C A)); unfold gain_phi; rewrite Q2R_0, exp2_0; reflexivity.
      }
  unfold ndcg_phi; f_equal; apply map_ext_in; intros s I; apply E; [apply R|apply T]; assumption.
Qed.
(** RS-REL-12/L4: by the text it does not change when all scores become a s + b, by the program, a s
    *)
Theorem REL_12_L4 a b k d by_ r S : (0 < a)%Q ->
  ndcg_phi k d (phi_of (control_points by_ (scores_scaled a b S))) (scores_scaled a b r)
    (scores_scaled a b S) = ndcg_phi k d (phi_of (control_points by_ S)) r S /\
  ndcg_phi k d (phi_of (control_points_of_program by_ (scores_scaled a 0 S))) (scores_scaled a 0 r)
    (scores_scaled a 0 S) = ndcg_phi k d (phi_of (control_points_of_program by_ S)) r S.
Proof.
  intros A; split; apply ndcg_phi_map; intro s; [apply REL_9_L3; assumption|apply
  phi_of_program_scaled; assumption].
Qed.
(** RS-REL-12/L4: ... nor does a factor of the discount change it *)
Theorem REL_12_L4_discount c k d f r S : 0 < c ->
  ndcg_phi k (fun i => c * d i) f r S = ndcg_phi k d f r S.
Proof. apply DCG_6_L4_discount. Qed.
(** RS-REL-12/L5: with the pool fixed, moving a higher score up, or raising a score of the list,
    never lowers it *)
Theorem REL_12_L5 k d f p x q y t S : is_relevance f -> falls d -> nonneg d -> (x <= y)%Q ->
  ndcg_phi k d f (p ++ x :: q ++ y :: t) S <= ndcg_phi k d f (p ++ y :: q ++ x :: t) S /\
  ndcg_phi k d f (p ++ x :: q) S <= ndcg_phi k d f (p ++ y :: q) S.
Proof.
  intros H F N L; destruct (REL_11_L3 k d f p x q y t H F N L); split; apply quotient_le;
  assumption.
Qed.
(** RS-REL-12/L5: ... where relevance is 0 up to med, any two scores up to med can be exchanged *)
Theorem REL_12_L5_exchange k d by_ S p x q y t : S <> [] -> regular by_ S ->
  (x <= median (rising S))%Q -> (y <= median (rising S))%Q ->
  let f := phi_of (control_points by_ S) in
  ndcg_phi k d f (p ++ x :: q ++ y :: t) S = ndcg_phi k d f (p ++ y :: q ++ x :: t) S.
Proof.
  intros N G A B f; pose proof (REL_11_L5 k d by_ S p x q y t N G A B) as E; cbv zeta in E.
  unfold ndcg_phi, ndcg, ndcg_by; fold f in E; unfold dcg_phi in E; rewrite E; reflexivity.
Qed.
