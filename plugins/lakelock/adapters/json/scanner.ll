; Made of scanner.c by `python -m native`; SHA-256 of that file:
; 637293debeec79745d92480e778c1ab6dbae72fe6053a64e482bc1a99cfa6eb7

%struct.level = type { i64, i64, i64, i64, i64, i64, i8, i8, i8 }
%struct.node = type { ptr, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @scan_records(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = getelementptr inbounds i8, ptr %0, i64 104
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %16, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds i8, ptr %0, i64 112
  %15 = load ptr, ptr %14, align 8
  store i64 0, ptr %15, align 8
  br label %16

16:                                               ; preds = %13, %1
  %17 = getelementptr inbounds i8, ptr %0, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:                                               ; preds = %16
  %21 = getelementptr inbounds i8, ptr %0, i64 56
  %22 = getelementptr inbounds i8, ptr %0, i64 48
  %23 = getelementptr inbounds i8, ptr %0, i64 8
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = getelementptr inbounds i8, ptr %0, i64 72
  %26 = getelementptr inbounds i8, ptr %0, i64 80
  %27 = getelementptr inbounds i8, ptr %0, i64 64
  %28 = getelementptr inbounds i8, ptr %0, i64 32
  %29 = getelementptr inbounds i8, ptr %0, i64 24
  %30 = getelementptr inbounds i8, ptr %0, i64 96
  %31 = getelementptr inbounds i8, ptr %0, i64 88
  %32 = getelementptr inbounds i8, ptr %0, i64 112
  br label %34

33:                                               ; preds = %769, %16
  ret void

34:                                               ; preds = %20, %769
  %35 = phi i64 [ 0, %20 ], [ %770, %769 ]
  %36 = phi i64 [ 0, %20 ], [ %40, %769 ]
  %37 = load ptr, ptr %21, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %36
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %36, 1
  %41 = getelementptr inbounds i64, ptr %37, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %42, -1
  %44 = load ptr, ptr %22, align 8
  %45 = load ptr, ptr %23, align 8
  %46 = icmp slt i64 %39, %43
  br i1 %46, label %47, label %54

47:                                               ; preds = %34, %51
  %48 = phi i64 [ %52, %51 ], [ %39, %34 ]
  %49 = getelementptr inbounds i8, ptr %44, i64 %48
  %50 = load i8, ptr %49, align 1
  switch i8 %50, label %54 [
    i8 32, label %51
    i8 13, label %51
    i8 9, label %51
    i8 10, label %51
  ]

51:                                               ; preds = %47, %47, %47, %47
  %52 = add i64 %48, 1
  %53 = icmp eq i64 %52, %43
  br i1 %53, label %748, label %47

54:                                               ; preds = %47, %34
  %55 = phi i64 [ %39, %34 ], [ %48, %47 ]
  %56 = icmp slt i64 %55, %43
  br i1 %56, label %57, label %748

57:                                               ; preds = %54
  %58 = getelementptr inbounds i8, ptr %44, i64 %55
  %59 = load i8, ptr %58, align 1
  %60 = icmp eq i8 %59, 123
  br i1 %60, label %61, label %748

61:                                               ; preds = %57, %741
  %62 = phi i8 [ %747, %741 ], [ 123, %57 ]
  %63 = phi i64 [ %745, %741 ], [ 0, %57 ]
  %64 = phi i64 [ %744, %741 ], [ -1, %57 ]
  %65 = phi i64 [ %743, %741 ], [ %35, %57 ]
  %66 = phi i64 [ %742, %741 ], [ %55, %57 ]
  %67 = getelementptr inbounds i8, ptr %44, i64 %66
  %68 = icmp eq i8 %62, 123
  switch i8 %62, label %120 [
    i8 123, label %69
    i8 91, label %69
  ]

69:                                               ; preds = %61, %61
  %70 = add i64 %64, 1
  %71 = load i64, ptr %24, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %73, label %748

73:                                               ; preds = %69
  %74 = getelementptr inbounds %struct.level, ptr %45, i64 %70
  %75 = zext i1 %68 to i8
  %76 = getelementptr inbounds i8, ptr %74, i64 48
  store i8 %75, ptr %76, align 8
  %77 = getelementptr inbounds i8, ptr %74, i64 50
  store i8 0, ptr %77, align 2
  %78 = getelementptr inbounds i8, ptr %74, i64 49
  store i8 0, ptr %78, align 1
  store i64 %63, ptr %74, align 8
  %79 = icmp slt i64 %63, 0
  br i1 %79, label %86, label %80

80:                                               ; preds = %73
  %81 = load ptr, ptr %0, align 8
  %82 = getelementptr inbounds %struct.node, ptr %81, i64 %63
  %83 = getelementptr inbounds i8, ptr %82, i64 16
  %84 = load i64, ptr %83, align 8
  %85 = add i64 %84, -1
  br label %86

86:                                               ; preds = %80, %73
  %87 = phi i64 [ %85, %80 ], [ -1, %73 ]
  %88 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 %87, ptr %88, align 8
  %89 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %89, align 8
  %90 = add i64 %66, 1
  %91 = icmp slt i64 %90, %43
  br i1 %91, label %92, label %99

92:                                               ; preds = %86, %96
  %93 = phi i64 [ %97, %96 ], [ %90, %86 ]
  %94 = getelementptr inbounds i8, ptr %44, i64 %93
  %95 = load i8, ptr %94, align 1
  switch i8 %95, label %99 [
    i8 32, label %96
    i8 13, label %96
    i8 9, label %96
    i8 10, label %96
  ]

96:                                               ; preds = %92, %92, %92, %92
  %97 = add i64 %93, 1
  %98 = icmp eq i64 %97, %43
  br i1 %98, label %748, label %92

99:                                               ; preds = %92, %86
  %100 = phi i64 [ %90, %86 ], [ %93, %92 ]
  %101 = icmp slt i64 %100, %43
  br i1 %101, label %102, label %748

102:                                              ; preds = %99
  %103 = getelementptr inbounds i8, ptr %44, i64 %100
  %104 = load i8, ptr %103, align 1
  %105 = zext i8 %104 to i32
  %106 = select i1 %68, i32 125, i32 93
  %107 = icmp eq i32 %106, %105
  br i1 %107, label %483, label %108

108:                                              ; preds = %102
  %109 = or i1 %68, %79
  br i1 %109, label %119, label %110

110:                                              ; preds = %108
  %111 = load ptr, ptr %0, align 8
  %112 = getelementptr inbounds %struct.node, ptr %111, i64 %63
  %113 = getelementptr inbounds i8, ptr %112, i64 40
  %114 = load i64, ptr %113, align 8
  %115 = icmp eq i64 %114, 2
  br i1 %115, label %116, label %741

116:                                              ; preds = %110
  %117 = getelementptr inbounds i8, ptr %112, i64 16
  %118 = load i64, ptr %117, align 8
  br label %741

119:                                              ; preds = %108
  br i1 %68, label %503, label %741

120:                                              ; preds = %61
  switch i8 %62, label %169 [
    i8 34, label %121
    i8 116, label %124
    i8 102, label %139
    i8 110, label %154
  ]

121:                                              ; preds = %120
  %122 = add i64 %66, 1
  %123 = call fastcc i64 @end_of_string(ptr %44, i64 %122, i64 %43, ptr %8)
  br label %254

124:                                              ; preds = %120
  %125 = sub i64 %43, %66
  %126 = icmp slt i64 %125, 4
  br i1 %126, label %253, label %130

127:                                              ; preds = %130
  %128 = add i64 %131, 1
  %129 = icmp eq i64 %128, 4
  br i1 %129, label %137, label %130

130:                                              ; preds = %124, %127
  %131 = phi i64 [ %128, %127 ], [ 0, %124 ]
  %132 = getelementptr i8, ptr %67, i64 %131
  %133 = load i8, ptr %132, align 1
  %134 = getelementptr inbounds i8, ptr @.str, i64 %131
  %135 = load i8, ptr %134, align 1
  %136 = icmp eq i8 %133, %135
  br i1 %136, label %127, label %253

137:                                              ; preds = %127
  %138 = add i64 %66, 4
  br label %254

139:                                              ; preds = %120
  %140 = sub i64 %43, %66
  %141 = icmp slt i64 %140, 5
  br i1 %141, label %253, label %145

142:                                              ; preds = %145
  %143 = add i64 %146, 1
  %144 = icmp eq i64 %143, 5
  br i1 %144, label %152, label %145

145:                                              ; preds = %139, %142
  %146 = phi i64 [ %143, %142 ], [ 0, %139 ]
  %147 = getelementptr i8, ptr %67, i64 %146
  %148 = load i8, ptr %147, align 1
  %149 = getelementptr inbounds i8, ptr @.str.1, i64 %146
  %150 = load i8, ptr %149, align 1
  %151 = icmp eq i8 %148, %150
  br i1 %151, label %142, label %253

152:                                              ; preds = %142
  %153 = add i64 %66, 5
  br label %254

154:                                              ; preds = %120
  %155 = sub i64 %43, %66
  %156 = icmp slt i64 %155, 4
  br i1 %156, label %253, label %160

157:                                              ; preds = %160
  %158 = add i64 %161, 1
  %159 = icmp eq i64 %158, 4
  br i1 %159, label %167, label %160

160:                                              ; preds = %154, %157
  %161 = phi i64 [ %158, %157 ], [ 0, %154 ]
  %162 = getelementptr i8, ptr %67, i64 %161
  %163 = load i8, ptr %162, align 1
  %164 = getelementptr inbounds i8, ptr @.str.2, i64 %161
  %165 = load i8, ptr %164, align 1
  %166 = icmp eq i8 %163, %165
  br i1 %166, label %157, label %253

167:                                              ; preds = %157
  %168 = add i64 %66, 4
  br label %254

169:                                              ; preds = %120
  %170 = icmp eq i8 %62, 45
  %171 = zext i1 %170 to i64
  %172 = add i64 %66, %171
  %173 = icmp slt i64 %172, %43
  br i1 %173, label %174, label %253

174:                                              ; preds = %169
  %175 = getelementptr inbounds i8, ptr %44, i64 %172
  %176 = load i8, ptr %175, align 1
  %177 = icmp eq i8 %176, 48
  br i1 %177, label %178, label %180

178:                                              ; preds = %174
  %179 = add i64 %172, 1
  br label %195

180:                                              ; preds = %174
  %181 = add i8 %176, -58
  %182 = icmp ult i8 %181, -10
  br i1 %182, label %253, label %183

183:                                              ; preds = %180, %189
  %184 = phi i64 [ %190, %189 ], [ %172, %180 ]
  %185 = getelementptr inbounds i8, ptr %44, i64 %184
  %186 = load i8, ptr %185, align 1
  %187 = add i8 %186, -58
  %188 = icmp ult i8 %187, -10
  br i1 %188, label %192, label %189

189:                                              ; preds = %183
  %190 = add i64 %184, 1
  %191 = icmp eq i64 %190, %43
  br i1 %191, label %192, label %183

192:                                              ; preds = %189, %183
  %193 = phi i64 [ %184, %183 ], [ %43, %189 ]
  %194 = icmp slt i64 %193, 0
  br i1 %194, label %253, label %195

195:                                              ; preds = %192, %178
  %196 = phi i64 [ %179, %178 ], [ %193, %192 ]
  %197 = icmp slt i64 %196, %43
  br i1 %197, label %198, label %222

198:                                              ; preds = %195
  %199 = getelementptr inbounds i8, ptr %44, i64 %196
  %200 = load i8, ptr %199, align 1
  %201 = icmp eq i8 %200, 46
  br i1 %201, label %202, label %222

202:                                              ; preds = %198
  %203 = add i64 %196, 1
  %204 = icmp slt i64 %203, %43
  br i1 %204, label %205, label %253

205:                                              ; preds = %202
  %206 = getelementptr inbounds i8, ptr %44, i64 %203
  %207 = load i8, ptr %206, align 1
  %208 = add i8 %207, -58
  %209 = icmp ult i8 %208, -10
  br i1 %209, label %253, label %210

210:                                              ; preds = %205, %216
  %211 = phi i64 [ %217, %216 ], [ %203, %205 ]
  %212 = getelementptr inbounds i8, ptr %44, i64 %211
  %213 = load i8, ptr %212, align 1
  %214 = add i8 %213, -58
  %215 = icmp ult i8 %214, -10
  br i1 %215, label %219, label %216

216:                                              ; preds = %210
  %217 = add i64 %211, 1
  %218 = icmp eq i64 %217, %43
  br i1 %218, label %219, label %210

219:                                              ; preds = %216, %210
  %220 = phi i64 [ %43, %216 ], [ %211, %210 ]
  %221 = icmp slt i64 %220, 0
  br i1 %221, label %253, label %222

222:                                              ; preds = %219, %198, %195
  %223 = phi i64 [ %220, %219 ], [ %196, %198 ], [ %196, %195 ]
  %224 = icmp slt i64 %223, %43
  br i1 %224, label %225, label %254

225:                                              ; preds = %222
  %226 = getelementptr inbounds i8, ptr %44, i64 %223
  %227 = load i8, ptr %226, align 1
  switch i8 %227, label %254 [
    i8 101, label %228
    i8 69, label %228
  ]

228:                                              ; preds = %225, %225
  %229 = add i64 %223, 1
  %230 = icmp slt i64 %229, %43
  br i1 %230, label %231, label %236

231:                                              ; preds = %228
  %232 = getelementptr inbounds i8, ptr %44, i64 %229
  %233 = load i8, ptr %232, align 1
  switch i8 %233, label %236 [
    i8 43, label %234
    i8 45, label %234
  ]

234:                                              ; preds = %231, %231
  %235 = add i64 %223, 2
  br label %236

236:                                              ; preds = %234, %231, %228
  %237 = phi i64 [ %235, %234 ], [ %229, %231 ], [ %229, %228 ]
  %238 = icmp slt i64 %237, %43
  br i1 %238, label %239, label %253

239:                                              ; preds = %236
  %240 = getelementptr inbounds i8, ptr %44, i64 %237
  %241 = load i8, ptr %240, align 1
  %242 = add i8 %241, -58
  %243 = icmp ult i8 %242, -10
  br i1 %243, label %253, label %244

244:                                              ; preds = %239, %250
  %245 = phi i64 [ %251, %250 ], [ %237, %239 ]
  %246 = getelementptr inbounds i8, ptr %44, i64 %245
  %247 = load i8, ptr %246, align 1
  %248 = add i8 %247, -58
  %249 = icmp ult i8 %248, -10
  br i1 %249, label %254, label %250

250:                                              ; preds = %244
  %251 = add i64 %245, 1
  %252 = icmp eq i64 %251, %43
  br i1 %252, label %254, label %244

253:                                              ; preds = %239, %236, %219, %205, %202, %192, %180, %169, %154, %139, %124, %160, %145, %130
  br label %748

254:                                              ; preds = %250, %244, %225, %222, %167, %152, %137, %121
  %255 = phi i64 [ %223, %222 ], [ %123, %121 ], [ %153, %152 ], [ %168, %167 ], [ %223, %225 ], [ %138, %137 ], [ %43, %250 ], [ %245, %244 ]
  %256 = icmp slt i64 %255, 0
  br i1 %256, label %748, label %257

257:                                              ; preds = %483, %254
  %258 = phi i64 [ %489, %483 ], [ %64, %254 ]
  %259 = phi i64 [ %487, %483 ], [ %65, %254 ]
  %260 = phi i64 [ %488, %483 ], [ %255, %254 ]
  %261 = getelementptr inbounds %struct.level, ptr %45, i64 %258
  %262 = getelementptr inbounds i8, ptr %261, i64 48
  %263 = load i8, ptr %262, align 8
  %264 = icmp eq i8 %263, 0
  br i1 %264, label %419, label %265

265:                                              ; preds = %257
  %266 = getelementptr inbounds i8, ptr %261, i64 32
  %267 = load i64, ptr %266, align 8
  %268 = icmp sgt i64 %267, -1
  br i1 %268, label %269, label %313

269:                                              ; preds = %265
  %270 = load ptr, ptr %0, align 8
  %271 = getelementptr inbounds %struct.node, ptr %270, i64 %267
  %272 = getelementptr inbounds i8, ptr %271, i64 32
  %273 = load i64, ptr %272, align 8
  %274 = icmp sgt i64 %273, -1
  br i1 %274, label %275, label %309

275:                                              ; preds = %269
  %276 = load i64, ptr %17, align 8
  %277 = mul i64 %276, %273
  %278 = add i64 %277, %36
  %279 = load ptr, ptr %25, align 8
  %280 = getelementptr inbounds i64, ptr %279, i64 %278
  %281 = load i64, ptr %280, align 8
  %282 = icmp slt i64 %281, 0
  br i1 %282, label %286, label %283

283:                                              ; preds = %275
  %284 = load ptr, ptr %30, align 8
  %285 = getelementptr inbounds i64, ptr %284, i64 %36
  store i64 %273, ptr %285, align 8
  br label %748

286:                                              ; preds = %275
  %287 = getelementptr inbounds i8, ptr %261, i64 24
  %288 = load i64, ptr %287, align 8
  store i64 %288, ptr %280, align 8
  %289 = load ptr, ptr %26, align 8
  %290 = getelementptr inbounds i64, ptr %289, i64 %278
  store i64 %260, ptr %290, align 8
  %291 = load ptr, ptr %27, align 8
  %292 = icmp eq ptr %291, null
  br i1 %292, label %309, label %293

293:                                              ; preds = %286
  %294 = getelementptr inbounds i8, ptr %271, i64 40
  %295 = load i64, ptr %294, align 8
  %296 = icmp eq i64 %295, 4
  br i1 %296, label %297, label %309

297:                                              ; preds = %293
  %298 = load i64, ptr %287, align 8
  %299 = getelementptr inbounds i8, ptr %291, i64 %298
  store i8 48, ptr %299, align 1
  %300 = load i64, ptr %287, align 8
  %301 = add i64 %300, 1
  %302 = icmp slt i64 %301, %260
  br i1 %302, label %303, label %309

303:                                              ; preds = %297, %303
  %304 = phi i64 [ %307, %303 ], [ %301, %297 ]
  %305 = load ptr, ptr %27, align 8
  %306 = getelementptr inbounds i8, ptr %305, i64 %304
  store i8 32, ptr %306, align 1
  %307 = add i64 %304, 1
  %308 = icmp eq i64 %307, %260
  br i1 %308, label %309, label %303

309:                                              ; preds = %303, %297, %293, %286, %269
  %310 = getelementptr inbounds i8, ptr %261, i64 50
  %311 = load i8, ptr %310, align 2
  %312 = icmp eq i8 %311, 0
  br i1 %312, label %416, label %322

313:                                              ; preds = %265
  %314 = load i64, ptr %261, align 8
  %315 = icmp sgt i64 %314, -1
  br i1 %315, label %316, label %416

316:                                              ; preds = %313
  %317 = load ptr, ptr %0, align 8
  %318 = getelementptr inbounds %struct.node, ptr %317, i64 %314
  %319 = getelementptr inbounds i8, ptr %318, i64 40
  %320 = load i64, ptr %319, align 8
  %321 = icmp eq i64 %320, 1
  br i1 %321, label %322, label %416

322:                                              ; preds = %316, %309
  %323 = load ptr, ptr %10, align 8
  %324 = icmp eq ptr %323, null
  br i1 %324, label %416, label %325

325:                                              ; preds = %322
  %326 = icmp sgt i64 %258, 0
  br i1 %326, label %329, label %353

327:                                              ; preds = %344
  %328 = icmp sgt i64 %345, -1
  br i1 %328, label %350, label %353

329:                                              ; preds = %325, %344
  %330 = phi i64 [ %346, %344 ], [ 0, %325 ]
  %331 = phi i64 [ %345, %344 ], [ -1, %325 ]
  %332 = getelementptr inbounds %struct.level, ptr %45, i64 %330
  %333 = getelementptr inbounds i8, ptr %332, i64 32
  %334 = load i64, ptr %333, align 8
  %335 = icmp sgt i64 %334, -1
  br i1 %335, label %336, label %344

336:                                              ; preds = %329
  %337 = load ptr, ptr %0, align 8
  %338 = getelementptr inbounds %struct.node, ptr %337, i64 %334
  %339 = getelementptr inbounds i8, ptr %338, i64 40
  %340 = load i64, ptr %339, align 8
  %341 = and i64 %340, -2
  %342 = icmp eq i64 %341, 2
  %343 = select i1 %342, i64 %330, i64 %331
  br label %344

344:                                              ; preds = %336, %329
  %345 = phi i64 [ %331, %329 ], [ %343, %336 ]
  %346 = add i64 %330, 1
  %347 = icmp slt i64 %346, %258
  %348 = icmp slt i64 %345, 0
  %349 = select i1 %347, i1 %348, i1 false
  br i1 %349, label %329, label %327

350:                                              ; preds = %327
  %351 = getelementptr inbounds %struct.level, ptr %45, i64 %345
  %352 = getelementptr inbounds i8, ptr %351, i64 50
  store i8 1, ptr %352, align 2
  br label %416

353:                                              ; preds = %327, %325
  %354 = icmp slt i64 %258, 0
  br i1 %354, label %355, label %373

355:                                              ; preds = %412, %353
  %356 = phi i64 [ %259, %353 ], [ %413, %412 ]
  %357 = load ptr, ptr %23, align 8
  %358 = getelementptr inbounds %struct.level, ptr %357, i64 %258
  %359 = getelementptr inbounds i8, ptr %358, i64 24
  %360 = load i64, ptr %359, align 8
  %361 = icmp slt i64 %360, %260
  br i1 %361, label %362, label %416

362:                                              ; preds = %355, %362
  %363 = phi i64 [ %371, %362 ], [ %360, %355 ]
  %364 = phi i64 [ %369, %362 ], [ %356, %355 ]
  %365 = load ptr, ptr %22, align 8
  %366 = getelementptr inbounds i8, ptr %365, i64 %363
  %367 = load i8, ptr %366, align 1
  %368 = load ptr, ptr %10, align 8
  %369 = add i64 %364, 1
  %370 = getelementptr inbounds i8, ptr %368, i64 %364
  store i8 %367, ptr %370, align 1
  %371 = add i64 %363, 1
  %372 = icmp eq i64 %371, %260
  br i1 %372, label %416, label %362

373:                                              ; preds = %353, %412
  %374 = phi i64 [ %413, %412 ], [ %259, %353 ]
  %375 = phi i64 [ %414, %412 ], [ 0, %353 ]
  %376 = load ptr, ptr %23, align 8
  %377 = getelementptr inbounds %struct.level, ptr %376, i64 %375
  %378 = icmp slt i64 %375, %258
  br i1 %378, label %379, label %383

379:                                              ; preds = %373
  %380 = getelementptr inbounds i8, ptr %377, i64 105
  %381 = load i8, ptr %380, align 1
  %382 = icmp eq i8 %381, 0
  br i1 %382, label %383, label %412

383:                                              ; preds = %379, %373
  %384 = getelementptr inbounds i8, ptr %377, i64 49
  %385 = load i8, ptr %384, align 1
  %386 = icmp eq i8 %385, 0
  %387 = select i1 %386, i8 123, i8 44
  %388 = load ptr, ptr %10, align 8
  %389 = add i64 %374, 1
  %390 = getelementptr inbounds i8, ptr %388, i64 %374
  store i8 %387, ptr %390, align 1
  store i8 1, ptr %384, align 1
  %391 = getelementptr inbounds i8, ptr %377, i64 8
  %392 = load i64, ptr %391, align 8
  %393 = getelementptr inbounds i8, ptr %377, i64 16
  %394 = load i64, ptr %393, align 8
  %395 = icmp slt i64 %392, %394
  br i1 %395, label %396, label %407

396:                                              ; preds = %383, %396
  %397 = phi i64 [ %405, %396 ], [ %392, %383 ]
  %398 = phi i64 [ %403, %396 ], [ %389, %383 ]
  %399 = load ptr, ptr %22, align 8
  %400 = getelementptr inbounds i8, ptr %399, i64 %397
  %401 = load i8, ptr %400, align 1
  %402 = load ptr, ptr %10, align 8
  %403 = add i64 %398, 1
  %404 = getelementptr inbounds i8, ptr %402, i64 %398
  store i8 %401, ptr %404, align 1
  %405 = add i64 %397, 1
  %406 = icmp eq i64 %405, %394
  br i1 %406, label %407, label %396

407:                                              ; preds = %396, %383
  %408 = phi i64 [ %389, %383 ], [ %403, %396 ]
  %409 = load ptr, ptr %10, align 8
  %410 = add i64 %408, 1
  %411 = getelementptr inbounds i8, ptr %409, i64 %408
  store i8 58, ptr %411, align 1
  br label %412

412:                                              ; preds = %407, %379
  %413 = phi i64 [ %410, %407 ], [ %374, %379 ]
  %414 = add i64 %375, 1
  %415 = icmp eq i64 %375, %258
  br i1 %415, label %355, label %373

416:                                              ; preds = %362, %355, %350, %322, %316, %313, %309
  %417 = phi i64 [ %259, %316 ], [ %259, %322 ], [ %259, %350 ], [ %259, %313 ], [ %356, %355 ], [ %259, %309 ], [ %369, %362 ]
  %418 = getelementptr inbounds i8, ptr %261, i64 50
  store i8 0, ptr %418, align 2
  br label %419

419:                                              ; preds = %416, %257
  %420 = phi i64 [ %417, %416 ], [ %259, %257 ]
  %421 = icmp slt i64 %260, %43
  br i1 %421, label %422, label %429

422:                                              ; preds = %419, %426
  %423 = phi i64 [ %427, %426 ], [ %260, %419 ]
  %424 = getelementptr inbounds i8, ptr %44, i64 %423
  %425 = load i8, ptr %424, align 1
  switch i8 %425, label %429 [
    i8 32, label %426
    i8 13, label %426
    i8 9, label %426
    i8 10, label %426
  ]

426:                                              ; preds = %422, %422, %422, %422
  %427 = add i64 %423, 1
  %428 = icmp eq i64 %427, %43
  br i1 %428, label %748, label %422

429:                                              ; preds = %422, %419
  %430 = phi i64 [ %260, %419 ], [ %423, %422 ]
  %431 = icmp slt i64 %430, %43
  br i1 %431, label %432, label %748

432:                                              ; preds = %429
  %433 = getelementptr inbounds i8, ptr %44, i64 %430
  %434 = load i8, ptr %433, align 1
  %435 = icmp eq i8 %434, 44
  br i1 %435, label %436, label %467

436:                                              ; preds = %432
  %437 = add i64 %430, 1
  %438 = icmp slt i64 %437, %43
  br i1 %438, label %439, label %446

439:                                              ; preds = %436, %443
  %440 = phi i64 [ %444, %443 ], [ %437, %436 ]
  %441 = getelementptr inbounds i8, ptr %44, i64 %440
  %442 = load i8, ptr %441, align 1
  switch i8 %442, label %446 [
    i8 32, label %443
    i8 13, label %443
    i8 9, label %443
    i8 10, label %443
  ]

443:                                              ; preds = %439, %439, %439, %439
  %444 = add i64 %440, 1
  %445 = icmp eq i64 %444, %43
  br i1 %445, label %748, label %439

446:                                              ; preds = %439, %436
  %447 = phi i64 [ %437, %436 ], [ %440, %439 ]
  %448 = icmp slt i64 %447, %43
  br i1 %448, label %449, label %748

449:                                              ; preds = %446
  %450 = load i8, ptr %262, align 8
  %451 = icmp eq i8 %450, 0
  br i1 %451, label %455, label %452

452:                                              ; preds = %449
  %453 = getelementptr inbounds i8, ptr %44, i64 %447
  %454 = load i8, ptr %453, align 1
  br label %503

455:                                              ; preds = %449
  %456 = load i64, ptr %261, align 8
  %457 = icmp sgt i64 %456, -1
  br i1 %457, label %458, label %741

458:                                              ; preds = %455
  %459 = load ptr, ptr %0, align 8
  %460 = getelementptr inbounds %struct.node, ptr %459, i64 %456
  %461 = getelementptr inbounds i8, ptr %460, i64 40
  %462 = load i64, ptr %461, align 8
  %463 = icmp eq i64 %462, 2
  br i1 %463, label %464, label %741

464:                                              ; preds = %458
  %465 = getelementptr inbounds i8, ptr %460, i64 16
  %466 = load i64, ptr %465, align 8
  br label %741

467:                                              ; preds = %432
  %468 = zext i8 %434 to i32
  %469 = load i8, ptr %262, align 8
  %470 = icmp eq i8 %469, 0
  %471 = select i1 %470, i32 93, i32 125
  %472 = icmp eq i32 %471, %468
  br i1 %472, label %473, label %748

473:                                              ; preds = %467
  %474 = getelementptr inbounds i8, ptr %261, i64 49
  %475 = load i8, ptr %474, align 1
  %476 = icmp eq i8 %475, 0
  br i1 %476, label %483, label %477

477:                                              ; preds = %473
  %478 = load ptr, ptr %10, align 8
  %479 = icmp eq ptr %478, null
  br i1 %479, label %483, label %480

480:                                              ; preds = %477
  %481 = add i64 %420, 1
  %482 = getelementptr inbounds i8, ptr %478, i64 %420
  store i8 125, ptr %482, align 1
  br label %483

483:                                              ; preds = %480, %477, %473, %102
  %484 = phi i64 [ %430, %480 ], [ %430, %477 ], [ %430, %473 ], [ %100, %102 ]
  %485 = phi i64 [ %258, %480 ], [ %258, %477 ], [ %258, %473 ], [ %70, %102 ]
  %486 = phi i64 [ %481, %480 ], [ %420, %477 ], [ %420, %473 ], [ %65, %102 ]
  %487 = freeze i64 %486
  %488 = add i64 %484, 1
  %489 = add i64 %485, -1
  %490 = icmp sgt i64 %485, 0
  br i1 %490, label %257, label %491

491:                                              ; preds = %483
  %492 = icmp slt i64 %488, %43
  br i1 %492, label %493, label %500

493:                                              ; preds = %491, %497
  %494 = phi i64 [ %498, %497 ], [ %488, %491 ]
  %495 = getelementptr inbounds i8, ptr %44, i64 %494
  %496 = load i8, ptr %495, align 1
  switch i8 %496, label %500 [
    i8 32, label %497
    i8 13, label %497
    i8 9, label %497
    i8 10, label %497
  ]

497:                                              ; preds = %493, %493, %493, %493
  %498 = add i64 %494, 1
  %499 = icmp eq i64 %498, %43
  br i1 %499, label %752, label %493

500:                                              ; preds = %493, %491
  %501 = phi i64 [ %488, %491 ], [ %494, %493 ]
  %502 = icmp eq i64 %501, %43
  br i1 %502, label %752, label %748

503:                                              ; preds = %452, %119
  %504 = phi i8 [ %104, %119 ], [ %454, %452 ]
  %505 = phi i64 [ %70, %119 ], [ %258, %452 ]
  %506 = phi i64 [ %65, %119 ], [ %420, %452 ]
  %507 = phi i64 [ %100, %119 ], [ %447, %452 ]
  %508 = getelementptr inbounds i8, ptr %44, i64 %507
  %509 = icmp eq i8 %504, 34
  br i1 %509, label %510, label %748

510:                                              ; preds = %503
  %511 = getelementptr inbounds %struct.level, ptr %45, i64 %505
  store i32 0, ptr %9, align 4
  %512 = getelementptr inbounds i8, ptr %511, i64 8
  store i64 %507, ptr %512, align 8
  %513 = add i64 %507, 1
  %514 = call fastcc i64 @end_of_string(ptr %44, i64 %513, i64 %43, ptr %9)
  %515 = icmp slt i64 %514, 0
  br i1 %515, label %738, label %516

516:                                              ; preds = %510
  %517 = getelementptr inbounds i8, ptr %511, i64 16
  store i64 %514, ptr %517, align 8
  %518 = getelementptr inbounds i8, ptr %511, i64 32
  store i64 -1, ptr %518, align 8
  %519 = load i64, ptr %511, align 8
  %520 = icmp sgt i64 %519, -1
  br i1 %520, label %521, label %708

521:                                              ; preds = %516
  %522 = load ptr, ptr %0, align 8
  %523 = getelementptr inbounds %struct.node, ptr %522, i64 %519
  %524 = getelementptr inbounds i8, ptr %523, i64 40
  %525 = load i64, ptr %524, align 8
  switch i64 %525, label %708 [
    i64 1, label %526
    i64 3, label %705
  ]

526:                                              ; preds = %521
  %527 = getelementptr inbounds i8, ptr %508, i64 1
  %528 = sub i64 %514, %507
  %529 = add i64 %528, -2
  %530 = load i32, ptr %9, align 4
  %531 = getelementptr inbounds i8, ptr %511, i64 40
  %532 = load i64, ptr %531, align 8
  %533 = add i64 %532, 1
  %534 = getelementptr inbounds i8, ptr %523, i64 16
  %535 = load i64, ptr %534, align 8
  %536 = getelementptr inbounds i8, ptr %523, i64 24
  %537 = load i64, ptr %536, align 8
  %538 = add i64 %537, %535
  %539 = icmp slt i64 %533, %538
  %540 = select i1 %539, i64 %533, i64 %535
  %541 = icmp eq i64 %537, 0
  br i1 %541, label %595, label %542

542:                                              ; preds = %526
  %543 = getelementptr inbounds %struct.node, ptr %522, i64 %540
  %544 = icmp eq i32 %530, 0
  br i1 %544, label %545, label %549

545:                                              ; preds = %542
  %546 = getelementptr inbounds i8, ptr %543, i64 8
  %547 = load i64, ptr %546, align 8
  %548 = icmp eq i64 %547, %529
  br i1 %548, label %549, label %595

549:                                              ; preds = %545, %542
  store i64 0, ptr %7, align 8
  %550 = icmp sgt i64 %528, 2
  %551 = getelementptr inbounds i8, ptr %543, i64 8
  br i1 %550, label %557, label %552

552:                                              ; preds = %549
  %553 = load i64, ptr %551, align 8
  br label %591

554:                                              ; preds = %586
  %555 = load i64, ptr %7, align 8
  %556 = icmp slt i64 %555, %529
  br i1 %556, label %557, label %591

557:                                              ; preds = %549, %554
  %558 = phi i64 [ %555, %554 ], [ 0, %549 ]
  %559 = phi i64 [ %577, %554 ], [ 0, %549 ]
  br i1 %544, label %562, label %560

560:                                              ; preds = %557
  %561 = call fastcc i32 @spelled(ptr %527, ptr %7, ptr %6)
  br label %566

562:                                              ; preds = %557
  %563 = add i64 %558, 1
  store i64 %563, ptr %7, align 8
  %564 = getelementptr inbounds i8, ptr %527, i64 %558
  %565 = load i8, ptr %564, align 1
  store i8 %565, ptr %6, align 1
  br label %566

566:                                              ; preds = %562, %560
  %567 = phi i32 [ %561, %560 ], [ 1, %562 ]
  %568 = zext i32 %567 to i64
  %569 = load i64, ptr %551, align 8
  %570 = sub i64 %569, %559
  %571 = icmp slt i64 %570, %568
  br i1 %571, label %590, label %572

572:                                              ; preds = %566
  %573 = load ptr, ptr %543, align 8
  %574 = add i64 %559, 1
  %575 = add i32 %567, -1
  %576 = zext i32 %575 to i64
  %577 = add i64 %574, %576
  br label %578

578:                                              ; preds = %586, %572
  %579 = phi i64 [ 0, %572 ], [ %588, %586 ]
  %580 = phi i64 [ %559, %572 ], [ %587, %586 ]
  %581 = getelementptr inbounds i8, ptr %573, i64 %580
  %582 = load i8, ptr %581, align 1
  %583 = getelementptr inbounds i8, ptr %6, i64 %579
  %584 = load i8, ptr %583, align 1
  %585 = icmp eq i8 %582, %584
  br i1 %585, label %586, label %590

586:                                              ; preds = %578
  %587 = add i64 %580, 1
  %588 = add i64 %579, 1
  %589 = icmp eq i64 %588, %568
  br i1 %589, label %554, label %578

590:                                              ; preds = %566, %578
  br label %595

591:                                              ; preds = %554, %552
  %592 = phi i64 [ %553, %552 ], [ %569, %554 ]
  %593 = phi i64 [ 0, %552 ], [ %577, %554 ]
  %594 = icmp eq i64 %593, %592
  br i1 %594, label %701, label %595

595:                                              ; preds = %591, %590, %545, %526
  %596 = trunc i64 %519 to i32
  %597 = xor i32 %596, -2128831035
  store i64 0, ptr %5, align 8
  %598 = icmp sgt i64 %528, 2
  br i1 %598, label %599, label %626

599:                                              ; preds = %595
  %600 = icmp eq i32 %530, 0
  br label %604

601:                                              ; preds = %616
  %602 = load i64, ptr %5, align 8
  %603 = icmp slt i64 %602, %529
  br i1 %603, label %604, label %626

604:                                              ; preds = %601, %599
  %605 = phi i64 [ 0, %599 ], [ %602, %601 ]
  %606 = phi i32 [ %597, %599 ], [ %623, %601 ]
  br i1 %600, label %610, label %607

607:                                              ; preds = %604
  %608 = call fastcc i32 @spelled(ptr %527, ptr %5, ptr %4)
  %609 = zext i32 %608 to i64
  br label %614

610:                                              ; preds = %604
  %611 = add i64 %605, 1
  store i64 %611, ptr %5, align 8
  %612 = getelementptr inbounds i8, ptr %527, i64 %605
  %613 = load i8, ptr %612, align 1
  store i8 %613, ptr %4, align 1
  br label %614

614:                                              ; preds = %610, %607
  %615 = phi i64 [ %609, %607 ], [ 1, %610 ]
  br label %616

616:                                              ; preds = %616, %614
  %617 = phi i64 [ 0, %614 ], [ %624, %616 ]
  %618 = phi i32 [ %606, %614 ], [ %623, %616 ]
  %619 = getelementptr inbounds i8, ptr %4, i64 %617
  %620 = load i8, ptr %619, align 1
  %621 = zext i8 %620 to i32
  %622 = xor i32 %618, %621
  %623 = mul i32 %622, 16777619
  %624 = add i64 %617, 1
  %625 = icmp eq i64 %624, %615
  br i1 %625, label %601, label %616

626:                                              ; preds = %601, %595
  %627 = phi i32 [ %597, %595 ], [ %623, %601 ]
  %628 = zext i32 %627 to i64
  %629 = load i64, ptr %28, align 8
  %630 = and i64 %629, %628
  %631 = load ptr, ptr %29, align 8
  %632 = getelementptr inbounds i64, ptr %631, i64 %630
  %633 = load i64, ptr %632, align 8
  %634 = icmp sgt i64 %633, -1
  br i1 %634, label %635, label %700

635:                                              ; preds = %626
  %636 = icmp eq i32 %530, 0
  br label %637

637:                                              ; preds = %694, %635
  %638 = phi i64 [ %633, %635 ], [ %698, %694 ]
  %639 = phi i64 [ %630, %635 ], [ %696, %694 ]
  %640 = icmp sge i64 %638, %535
  %641 = icmp slt i64 %638, %538
  %642 = select i1 %640, i1 %641, i1 false
  br i1 %642, label %643, label %694

643:                                              ; preds = %637
  %644 = getelementptr inbounds %struct.node, ptr %522, i64 %638
  br i1 %636, label %645, label %649

645:                                              ; preds = %643
  %646 = getelementptr inbounds i8, ptr %644, i64 8
  %647 = load i64, ptr %646, align 8
  %648 = icmp eq i64 %647, %529
  br i1 %648, label %649, label %694

649:                                              ; preds = %645, %643
  store i64 0, ptr %3, align 8
  %650 = getelementptr inbounds i8, ptr %644, i64 8
  br i1 %598, label %656, label %651

651:                                              ; preds = %649
  %652 = load i64, ptr %650, align 8
  br label %690

653:                                              ; preds = %685
  %654 = load i64, ptr %3, align 8
  %655 = icmp slt i64 %654, %529
  br i1 %655, label %656, label %690

656:                                              ; preds = %649, %653
  %657 = phi i64 [ %654, %653 ], [ 0, %649 ]
  %658 = phi i64 [ %676, %653 ], [ 0, %649 ]
  br i1 %636, label %661, label %659

659:                                              ; preds = %656
  %660 = call fastcc i32 @spelled(ptr %527, ptr %3, ptr %2)
  br label %665

661:                                              ; preds = %656
  %662 = add i64 %657, 1
  store i64 %662, ptr %3, align 8
  %663 = getelementptr inbounds i8, ptr %527, i64 %657
  %664 = load i8, ptr %663, align 1
  store i8 %664, ptr %2, align 1
  br label %665

665:                                              ; preds = %661, %659
  %666 = phi i32 [ %660, %659 ], [ 1, %661 ]
  %667 = zext i32 %666 to i64
  %668 = load i64, ptr %650, align 8
  %669 = sub i64 %668, %658
  %670 = icmp slt i64 %669, %667
  br i1 %670, label %689, label %671

671:                                              ; preds = %665
  %672 = load ptr, ptr %644, align 8
  %673 = add i64 %658, 1
  %674 = add i32 %666, -1
  %675 = zext i32 %674 to i64
  %676 = add i64 %673, %675
  br label %677

677:                                              ; preds = %685, %671
  %678 = phi i64 [ 0, %671 ], [ %687, %685 ]
  %679 = phi i64 [ %658, %671 ], [ %686, %685 ]
  %680 = getelementptr inbounds i8, ptr %672, i64 %679
  %681 = load i8, ptr %680, align 1
  %682 = getelementptr inbounds i8, ptr %2, i64 %678
  %683 = load i8, ptr %682, align 1
  %684 = icmp eq i8 %681, %683
  br i1 %684, label %685, label %689

685:                                              ; preds = %677
  %686 = add i64 %679, 1
  %687 = add i64 %678, 1
  %688 = icmp eq i64 %687, %667
  br i1 %688, label %653, label %677

689:                                              ; preds = %665, %677
  br label %694

690:                                              ; preds = %653, %651
  %691 = phi i64 [ %652, %651 ], [ %668, %653 ]
  %692 = phi i64 [ 0, %651 ], [ %676, %653 ]
  %693 = icmp eq i64 %692, %691
  br i1 %693, label %701, label %694

694:                                              ; preds = %690, %689, %645, %637
  %695 = add i64 %639, 1
  %696 = and i64 %695, %629
  %697 = getelementptr inbounds i64, ptr %631, i64 %696
  %698 = load i64, ptr %697, align 8
  %699 = icmp sgt i64 %698, -1
  br i1 %699, label %637, label %700

700:                                              ; preds = %694, %626
  store i64 -1, ptr %518, align 8
  br label %708

701:                                              ; preds = %690, %591
  %702 = phi i64 [ %540, %591 ], [ %638, %690 ]
  store i64 %702, ptr %518, align 8
  %703 = icmp sgt i64 %702, -1
  br i1 %703, label %704, label %708

704:                                              ; preds = %701
  store i64 %702, ptr %531, align 8
  br label %708

705:                                              ; preds = %521
  %706 = getelementptr inbounds i8, ptr %523, i64 16
  %707 = load i64, ptr %706, align 8
  store i64 %707, ptr %518, align 8
  br label %708

708:                                              ; preds = %705, %704, %701, %700, %521, %516
  %709 = phi i64 [ -1, %700 ], [ %707, %705 ], [ %702, %704 ], [ %702, %701 ], [ -1, %521 ], [ -1, %516 ]
  %710 = icmp slt i64 %514, %43
  br i1 %710, label %711, label %718

711:                                              ; preds = %708, %715
  %712 = phi i64 [ %716, %715 ], [ %514, %708 ]
  %713 = getelementptr inbounds i8, ptr %44, i64 %712
  %714 = load i8, ptr %713, align 1
  switch i8 %714, label %718 [
    i8 32, label %715
    i8 13, label %715
    i8 9, label %715
    i8 10, label %715
  ]

715:                                              ; preds = %711, %711, %711, %711
  %716 = add i64 %712, 1
  %717 = icmp eq i64 %716, %43
  br i1 %717, label %738, label %711

718:                                              ; preds = %711, %708
  %719 = phi i64 [ %514, %708 ], [ %712, %711 ]
  %720 = icmp slt i64 %719, %43
  br i1 %720, label %721, label %738

721:                                              ; preds = %718
  %722 = getelementptr inbounds i8, ptr %44, i64 %719
  %723 = load i8, ptr %722, align 1
  %724 = icmp eq i8 %723, 58
  br i1 %724, label %725, label %738

725:                                              ; preds = %721
  %726 = add i64 %719, 1
  %727 = icmp slt i64 %726, %43
  br i1 %727, label %728, label %735

728:                                              ; preds = %725, %732
  %729 = phi i64 [ %733, %732 ], [ %726, %725 ]
  %730 = getelementptr inbounds i8, ptr %44, i64 %729
  %731 = load i8, ptr %730, align 1
  switch i8 %731, label %735 [
    i8 32, label %732
    i8 13, label %732
    i8 9, label %732
    i8 10, label %732
  ]

732:                                              ; preds = %728, %728, %728, %728
  %733 = add i64 %729, 1
  %734 = icmp eq i64 %733, %43
  br i1 %734, label %738, label %728

735:                                              ; preds = %728, %725
  %736 = phi i64 [ %726, %725 ], [ %729, %728 ]
  %737 = icmp slt i64 %736, %43
  br i1 %737, label %739, label %738

738:                                              ; preds = %735, %721, %718, %510, %715, %732
  br label %748

739:                                              ; preds = %735
  %740 = getelementptr inbounds i8, ptr %511, i64 24
  store i64 %736, ptr %740, align 8
  br label %741

741:                                              ; preds = %739, %464, %458, %455, %119, %116, %110
  %742 = phi i64 [ %736, %739 ], [ %447, %464 ], [ %447, %455 ], [ %100, %110 ], [ %100, %116 ], [ %447, %458 ], [ %100, %119 ]
  %743 = phi i64 [ %506, %739 ], [ %420, %464 ], [ %420, %455 ], [ %65, %110 ], [ %65, %116 ], [ %420, %458 ], [ %65, %119 ]
  %744 = phi i64 [ %505, %739 ], [ %258, %464 ], [ %258, %455 ], [ %70, %110 ], [ %70, %116 ], [ %258, %458 ], [ %70, %119 ]
  %745 = phi i64 [ %709, %739 ], [ %466, %464 ], [ -1, %455 ], [ -1, %110 ], [ %118, %116 ], [ -1, %458 ], [ -1, %119 ]
  %746 = getelementptr inbounds i8, ptr %44, i64 %742
  %747 = load i8, ptr %746, align 1
  br label %61

748:                                              ; preds = %51, %503, %467, %446, %429, %99, %69, %254, %96, %426, %443, %283, %57, %54, %253, %500, %738
  %749 = phi i64 [ -2, %96 ], [ -2, %500 ], [ -4, %283 ], [ -2, %253 ], [ -2, %443 ], [ -2, %54 ], [ -2, %57 ], [ -2, %254 ], [ -2, %738 ], [ -2, %426 ], [ -2, %503 ], [ -2, %467 ], [ -2, %446 ], [ -2, %429 ], [ -2, %99 ], [ -3, %69 ], [ -2, %51 ]
  %750 = trunc i64 %749 to i8
  %751 = xor i8 %750, -1
  br label %757

752:                                              ; preds = %497, %500
  %753 = icmp slt i64 %487, 0
  %754 = trunc i64 %487 to i8
  %755 = xor i8 %754, -1
  %756 = select i1 %753, i8 %755, i8 0
  br label %757

757:                                              ; preds = %752, %748
  %758 = phi i64 [ %487, %752 ], [ %749, %748 ]
  %759 = phi i8 [ %756, %752 ], [ %751, %748 ]
  %760 = load ptr, ptr %31, align 8
  %761 = getelementptr inbounds i8, ptr %760, i64 %36
  store i8 %759, ptr %761, align 1
  %762 = load ptr, ptr %10, align 8
  %763 = icmp eq ptr %762, null
  br i1 %763, label %769, label %764

764:                                              ; preds = %757
  %765 = icmp slt i64 %758, 0
  %766 = select i1 %765, i64 %35, i64 %758
  %767 = load ptr, ptr %32, align 8
  %768 = getelementptr inbounds i64, ptr %767, i64 %40
  store i64 %766, ptr %768, align 8
  br label %769

769:                                              ; preds = %757, %764
  %770 = phi i64 [ %766, %764 ], [ %35, %757 ]
  %771 = load i64, ptr %17, align 8
  %772 = icmp slt i64 %40, %771
  br i1 %772, label %34, label %33
}

define void @gather_texts(ptr %0, i64 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %9, label %8

8:                                                ; preds = %30, %6
  ret void

9:                                                ; preds = %6, %30
  %10 = phi i64 [ %31, %30 ], [ 0, %6 ]
  %11 = getelementptr inbounds i64, ptr %2, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp slt i64 %12, 0
  br i1 %13, label %30, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds i8, ptr %0, i64 %12
  %16 = getelementptr inbounds i64, ptr %5, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %4, i64 %17
  %19 = getelementptr inbounds i64, ptr %3, i64 %10
  %20 = load i64, ptr %19, align 8
  %21 = sub i64 %20, %12
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %30

23:                                               ; preds = %14, %23
  %24 = phi i64 [ %28, %23 ], [ 0, %14 ]
  %25 = getelementptr inbounds i8, ptr %15, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = getelementptr inbounds i8, ptr %18, i64 %24
  store i8 %26, ptr %27, align 1
  %28 = add i64 %24, 1
  %29 = icmp eq i64 %28, %21
  br i1 %29, label %30, label %23

30:                                               ; preds = %23, %14, %9
  %31 = add i64 %10, 1
  %32 = icmp eq i64 %31, %1
  br i1 %32, label %8, label %9
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %45

6:                                                ; preds = %4, %42
  %7 = phi i64 [ %43, %42 ], [ %1, %4 ]
  %8 = add i64 %7, 1
  %9 = getelementptr inbounds i8, ptr %0, i64 %7
  %10 = load i8, ptr %9, align 1
  %11 = icmp eq i8 %10, 34
  br i1 %11, label %45, label %12

12:                                               ; preds = %6
  %13 = icmp ult i8 %10, 32
  br i1 %13, label %45, label %14

14:                                               ; preds = %12
  %15 = icmp eq i8 %10, 92
  br i1 %15, label %16, label %42

16:                                               ; preds = %14
  store i32 1, ptr %3, align 4
  %17 = icmp slt i64 %8, %2
  br i1 %17, label %18, label %45

18:                                               ; preds = %16
  %19 = add i64 %7, 2
  %20 = getelementptr inbounds i8, ptr %0, i64 %8
  %21 = load i8, ptr %20, align 1
  switch i8 %21, label %45 [
    i8 34, label %42
    i8 92, label %42
    i8 47, label %42
    i8 98, label %42
    i8 102, label %42
    i8 110, label %42
    i8 114, label %42
    i8 116, label %42
    i8 117, label %22
  ]

22:                                               ; preds = %18
  %23 = sub i64 %2, %19
  %24 = icmp slt i64 %23, 4
  br i1 %24, label %45, label %25

25:                                               ; preds = %22
  %26 = getelementptr i8, ptr %0, i64 %19
  br label %30

27:                                               ; preds = %30
  %28 = add i64 %31, 1
  %29 = icmp eq i64 %28, 4
  br i1 %29, label %40, label %30

30:                                               ; preds = %25, %27
  %31 = phi i64 [ 0, %25 ], [ %28, %27 ]
  %32 = getelementptr i8, ptr %26, i64 %31
  %33 = load i8, ptr %32, align 1
  %34 = add i8 %33, -58
  %35 = icmp ult i8 %34, -10
  %36 = and i8 %33, -33
  %37 = add i8 %36, -71
  %38 = icmp ult i8 %37, -6
  %39 = and i1 %35, %38
  br i1 %39, label %45, label %27

40:                                               ; preds = %27
  %41 = add i64 %7, 6
  br label %42

42:                                               ; preds = %18, %18, %18, %18, %18, %18, %18, %18, %40, %14
  %43 = phi i64 [ %19, %18 ], [ %41, %40 ], [ %8, %14 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ]
  %44 = icmp slt i64 %43, %2
  br i1 %44, label %6, label %45

45:                                               ; preds = %42, %6, %12, %22, %18, %16, %30, %4
  %46 = phi i64 [ -1, %30 ], [ -1, %4 ], [ %8, %6 ], [ -1, %12 ], [ -1, %22 ], [ -1, %18 ], [ -1, %42 ], [ -1, %16 ]
  ret i64 %46
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}
